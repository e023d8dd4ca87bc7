import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BinaryNode } from 'baileys';
import { WebSocketServer } from 'ws';
import { Account } from './account.ts';
import type { Person, WhatsAppServer, WhatsAppServerOptions } from './api.ts';
import { createTlsFiles } from './certificates.ts';
import { ClientBuilds } from './client-builds.ts';
import { systemClock } from './clock.ts';
import type { Screen } from './companion-refresh.ts';
import { Connection } from './connection.ts';
import { Directory } from './directory.ts';
import { FaultBoard } from './fault-board.ts';
import type { LinkedDevice } from './linked-device.ts';
import { LoginDesk } from './login-desk.ts';
import { MediaStore } from './media-store.ts';
import { resultOf } from './nodes.ts';
import { createNoiseIdentity } from './noise-certificate.ts';
import { SimulatedPerson } from './person.ts';
import { PostOffice } from './post-office.ts';
import { answerQuery, type QueryContext } from './queries.ts';
import { quietLibsignal } from './quiet-libsignal.ts';
import { Recorder } from './recorder.ts';
import { keepUnusedSessions } from './session-trials.ts';
import { SimulatedDevice } from './simulated-device.ts';
import { type Strictness, strict } from './strictness.ts';

/** Starts a simulated WhatsApp network on this machine. It speaks the real wire protocol and accepts any number. Nothing leaves the machine. */
export async function startWhatsAppServer(options: WhatsAppServerOptions = {}): Promise<WhatsAppServer> {
  const { port = 0, refs = 6, log = () => undefined, decrypt = 'at_once', receipts = true, clock = systemClock } = options;
  const strictness: Strictness = { ...strict, ...options.strictness };
  quietLibsignal();
  keepUnusedSessions();
  const files = mkdtempSync(join(tmpdir(), 'whatsapp-server-'));
  const tls = createTlsFiles(files);
  const identity = createNoiseIdentity();

  const directory: Directory = new Directory(
    (number) =>
      new Account(number, strictness.migratedAccounts, (account, id) => new SimulatedDevice(account, id, { record, decrypt, receipts })),
  );
  const record = new Recorder({ directory, keepStanzas: decrypt !== 'never', neverOnline: strictness.neverOnline });
  const faults = new FaultBoard(directory, record);
  const posts = new PostOffice({ directory, faults, record, strictness, checkResends: decrypt !== 'never' });
  const host = () => `127.0.0.1:${portOf(http)}`;
  const media = new MediaStore({ directory: files, faults, record, host });
  const queries = (): QueryContext => ({ directory, faults, record, strictness, media, mediaHost: host(), onLogout });
  const builds = new ClientBuilds({
    tellAll: (node) => {
      for (const account of directory.accounts) for (const device of account.linked.values()) device.send(node);
    },
    changed: () => record.changed(),
  });
  const logins = new LoginDesk({ directory, faults, record, builds, refs, strictness, clock, log, onNode, onAsked: posts.asked });

  const screens: Screen[] = [];
  const sockets = new Set<Socket>();
  const http = createServer({ key: tls.key, cert: tls.certificate }, (request, response) => {
    record.loginOver(keyOf(request.socket));
    if (builds.answer(request, response)) return;
    media.answer(request, response).catch((error: unknown) => {
      log(`media request failed: ${error}`);
      response.destroy();
    });
  });
  http.on('connection', (socket: Socket) => {
    if (faults.refusesConnections) return void socket.destroy();
    const key = keyOf(socket);
    sockets.add(socket);
    record.loginStarted(key);
    socket.on('close', () => {
      sockets.delete(socket);
      record.loginOver(key);
    });
  });

  const webSockets = new WebSocketServer({ server: http, path: '/ws/chat', perMessageDeflate: false, maxPayload: 32 * 1024 * 1024 });
  webSockets.on('connection', (socket, request) => {
    const key = keyOf(request.socket);
    new Connection(socket, {
      identity,
      onLogin: (connection, login) => {
        const receiver = logins.judge(connection, login);
        record.loginOver(key);
        return receiver;
      },
      isServerBare: () => faults.bareServer,
      onBroken: (reason) => record.problem(`a connection broke the protocol: ${reason}`),
    });
  });

  function onNode(device: LinkedDevice, node: BinaryNode): void | Promise<void> {
    switch (node.tag) {
      case 'iq':
        return node.attrs.type === 'result' ? undefined : answerQuery(queries(), device, node);
      case 'message':
        return posts.message(device, node);
      case 'presence':
        return record.presence(device.account.number, node);
      case 'receipt':
        return posts.receipt(device, node);
      case 'ack':
        if (node.attrs.class === 'receipt' && node.attrs.type === 'retry') record.retryAcknowledged(node.attrs.id ?? '');
        return device.acknowledged(node.attrs.class ?? '', node.attrs.id ?? '', node.attrs.to ?? '');
    }
  }

  function onLogout(device: LinkedDevice, query: BinaryNode): void {
    const { account } = device;
    record.logout(account.number);
    account.linked.delete(device.id);
    device.send(resultOf(query));
    device.end({ kind: 'stream_error', code: 401, conflict: 'device_removed' });
    directory.tellDevices(account, 'remove', [device]);
    record.changed();
  }

  async function close(): Promise<void> {
    posts.close();
    for (const socket of sockets) socket.destroy();
    webSockets.close();
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    http.closeAllConnections();
    await closed;
    await rm(files, { recursive: true, force: true });
    record.assertNeverOnline();
  }

  await listen(http, port);
  const person = (number: string): Person =>
    new SimulatedPerson({ account: directory.account(number), directory, faults, record, logins, media, screens });
  const showsCodes = (screen: Screen) => void screens.push(screen);
  return {
    url: `wss://${host()}/ws/chat`,
    rootKey: identity.rootKey,
    caFile: tls.caFile,
    person,
    showsCodes,
    faults,
    builds,
    record,
    close,
  };
}

/** The client's port identifies a connection before and after its TLS handshake. */
function keyOf(socket: Socket): number {
  return socket.remotePort ?? 0;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
