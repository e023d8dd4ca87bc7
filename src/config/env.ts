/** The names of all settings, with what they mean. config.ts interprets them; .env.example is held against this list by a test. */
export const settings = {
  PORT: 'Port to listen on (3000).',
  HOST: 'Address to listen on (127.0.0.1).',
  DATA_DIR: 'Folder for the embedded database, the secret key and temporary files (./data).',
  DATABASE_URL: 'PostgreSQL connection URL. Absent: the embedded SQLite database in DATA_DIR.',
  DATABASE_DURABILITY:
    'full (default): an accepted send survives a power cut. normal: it survives a crash of the process, but a power cut may take the last moments. Embedded database only.',
  REDIS_URL:
    'Redis connection URL, for several servers on one PostgreSQL database. Absent: one server. All of them need the same SECRET_KEY.',
  NODE_URL:
    'With several servers: the address at which the others reach this one, for example http://10.0.0.7:3000. Absent: http(s)://HOST:PORT, with the name of the machine when HOST is 0.0.0.0 or ::.',
  NETWORKS: 'Enabled networks; the first is the default for new numbers (whatsapp,sandbox).',
  WHATSAPP_WORKERS: 'Threads that the linked WhatsApp numbers share, 1 to 64 (as many as the machine has cores, minus one).',
  WHATSAPP_URL: 'Your own server in place of WhatsApp, for tests: its ws:// or wss:// address.',
  WHATSAPP_ROOT_KEY: "64 hex digits: the key that signs the certificates of the server at WHATSAPP_URL. Absent: WhatsApp's.",
  WHATSAPP_CA_FILE: 'PEM file with certificates to trust, besides the usual ones, for the connection to WhatsApp and for its media.',
  RETRY_KEEP_HOURS:
    'How long a sent message is kept, encrypted, for devices of its recipient that have not confirmed it and may ask for it again, 0 to 720 hours (72). 0: in memory only.',
  WHATSAPP_VERSION:
    'Version of WhatsApp Web to connect as, 2.3000.N or N. Absent: the newest known; needed only if WhatsApp refuses that and nothing newer is found.',
  WHATSAPP_VERSION_URL:
    'Page that names the newest version (https://web.whatsapp.com/sw.js, or sw.js of the server at WHATSAPP_URL). Set but empty: nothing is ever fetched.',
  SECRET_KEY: '32 bytes as 64 hex digits; encrypts credentials at rest. Absent: created once in DATA_DIR/secret.key.',
  PUBLIC_URL: 'The address customers reach this service at, for example https://gateway.example.com. Absent: http(s)://HOST:PORT.',
  TLS_CERT_FILE: 'PEM certificate chain; together with TLS_KEY_FILE the server speaks HTTPS itself. Reloaded when it changes.',
  TLS_KEY_FILE: 'PEM private key for TLS_CERT_FILE.',
  SMTP_URL:
    'Mail server for invitations and password resets: smtp://user:password@mail.example.com:587 (STARTTLS) or smtps:// (port 465); together with MAIL_FROM and PUBLIC_URL. Absent: links are only shown.',
  MAIL_FROM: 'The sender of those mails, for example gateway@example.com; together with SMTP_URL.',
  TRUST_PROXY: 'Comma list of addresses or networks of proxies whose forwarded headers count, for example 10.0.0.0/8.',
  MEDIA_ALLOW_HOSTS: 'Comma list of internal host[:port] that media may be fetched from and alerts sent to.',
  MEDIA_MAX_BYTES: 'Largest media file in bytes (104857600 = 100 MiB).',
  IDEMPOTENCY: 'on (default) or off.',
  COMPATIBILITY: 'evolution: the paths of Evolution API that send and pair are answered too (docs/evolution.md). Absent: only our own.',
  MCP: 'on (default) or off: whether assistants may use the API through /mcp, with the keys of accounts.',
  ALERT_ERROR_PERCENT: 'Percentage of failed sends (5xx, last 10 minutes) at which the alert error_rate_high begins, 1 to 100 (10).',
  METRICS_PORT: 'Port for GET /metrics (Prometheus), in plain HTTP at HOST. Absent: no such port.',
  METRICS_TOKEN:
    'Token that GET /metrics asks for (Authorization: Bearer …), at least 16 characters; without METRICS_PORT it is served at PORT. Both absent: no metrics.',
  STOP_DELAY_SECONDS:
    'How long a server that is told to stop keeps answering while GET /health/ready says 503, 0 to 60 seconds (0), so that a load balancer can switch to others.',
  LOG_LEVEL: 'fatal, error, warn, info (default), debug, trace or silent.',
  LOG_FORMAT: 'auto (default: text on a terminal, otherwise json), json or text.',
} as const;

export type SettingName = keyof typeof settings;
