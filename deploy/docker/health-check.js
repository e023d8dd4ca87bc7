// The container's health check: exit code 0 when GET /health answers 200 within 4 seconds. It reads the same settings as the gateway.
import http from 'node:http';
import https from 'node:https';

const { PORT: port = '3000', HOST: host = '127.0.0.1', TLS_CERT_FILE: certificate } = process.env;
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const client = certificate ? https : http;
// The certificate is for the public name, and this asks the process beside it.
const options = { host: everywhere[host] ?? host, port, path: '/health', rejectUnauthorized: false, signal: AbortSignal.timeout(4000) };

client
  .get(options, (answer) => {
    answer.resume();
    process.exitCode = answer.statusCode === 200 ? 0 : 1;
    if (process.exitCode !== 0) process.stderr.write(`GET /health answered ${answer.statusCode}\n`);
  })
  .on('error', (error) => {
    process.stderr.write(`GET /health failed: ${error.message}\n`);
    process.exitCode = 1;
  });
