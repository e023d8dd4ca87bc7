import type { FastifySchema } from 'fastify';
import { bodyErrors, limitedErrors, planErrors } from './error-groups.ts';
import { exampleInstanceId, exampleSender, exampleTime } from './examples.ts';

const instance_id = exampleInstanceId;
const label = 'Front desk';
const fresh = {
  instance_id,
  label,
  status: 'connecting',
  connected: false,
  phone_number: null,
  network: 'whatsapp',
  created_at: exampleTime,
  new_chats: null,
};
const linked = { ...fresh, status: 'open', connected: true, phone_number: exampleSender };
const qrcode = {
  base64: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  code: '2@Xb7Qm1nT0aZ,kP4u,9sYc',
  pairingCode: null,
};
const phoneGone = { ...linked, status: 'close', connected: false };
const restricted = { ...linked, restriction: { reason: 'reach_out_blocked', until: exampleTime } };
const capped = {
  ...linked,
  new_chats: { used: 50, quota: 50, cycle_ends_at: exampleTime },
  restriction: { reason: 'new_chats_capped', until: exampleTime },
};
const banned = { ...linked, status: 'connecting', connected: false, restriction: { reason: 'temporarily_banned', until: exampleTime } };
const labelField = 'Your own name for the number; it does not affect sending.';

export const createDocs: FastifySchema = {
  docs: {
    operationId: 'createInstance',
    tag: 'Instances',
    summary: 'Create an instance',
    description:
      'Creates an empty slot for a number and starts its first pairing attempt. `qrcode` is filled when the first code arrives within 2 seconds; otherwise ask `GET /v1/instances/{id}/qr`. ' +
      "Counts against the account's allowance of numbers, and is the only endpoint for instances that needs an active plan.",
    errors: [...planErrors, ...bodyErrors, 'instance_limit_reached', 'activation_unavailable', 'admin_free_slot_limit_reached'],
    errorExamples: { invalid_request: { message: 'label must be at most 60 characters.', details: { field: 'label' } } },
    success: 'The instance exists.',
    bodies: {
      named: { summary: 'With a name', value: { label } },
      unnamed: { summary: 'Without a name', value: {} },
      sandbox: { summary: 'On the sandbox network', value: { label, network: 'sandbox' } },
    },
    results: {
      withCode: { summary: 'With a QR code', value: { ...fresh, qrcode } },
      withoutCode: { summary: 'No QR code yet', value: { ...fresh, label: null, status: 'close', qrcode: null } },
    },
  },
};

export const listDocs: FastifySchema = {
  docs: {
    operationId: 'listInstances',
    tag: 'Instances',
    summary: 'List instances',
    description:
      "The account's numbers, oldest first, and whether each can send. Free of side effects, so it is also the way to try out a key.",
    errors: limitedErrors,
    success: 'All numbers of the account, possibly none.',
    results: {
      several: { summary: 'One linked number', value: { instances: [linked] } },
      none: { summary: 'No numbers', value: { instances: [] } },
    },
  },
};

export const statusDocs: FastifySchema = {
  docs: {
    operationId: 'getInstanceStatus',
    tag: 'Instances',
    summary: 'Live status of an instance',
    description:
      'The state after one check at the network: ask once before a batch, not per message. 502 `upstream_unavailable` means that the state is unknown, not that the number is down. ' +
      '`restriction` is present while the network limits what the number may do; `new_chats` says how many chats it may start, if that is known.',
    errors: [...limitedErrors, 'instance_not_found', 'number_already_connected'],
    errorExamples: {
      upstream_unavailable: { message: 'The state could not be determined: the network did not answer the live check in time.' },
    },
    success: 'The state right now.',
    results: {
      open: { summary: 'Able to send', value: linked },
      close: { summary: 'Must be scanned again', value: phoneGone },
      restricted: { summary: 'Able to send, but not to new contacts', value: restricted },
      capped: { summary: 'Has started all the new chats it may', value: capped },
      banned: { summary: 'Temporarily banned', value: banned },
    },
  },
};

export const qrDocs: FastifySchema = {
  docs: {
    operationId: 'getInstanceQr',
    tag: 'Instances',
    summary: 'Get the QR code',
    description:
      'The code to scan. Starts a pairing attempt if none is running; while one runs, it returns the current code and does not start over. ' +
      'Then poll `GET /v1/instances/{id}/qr-status`. A number that is already connected is a success without a code; ' +
      'so is one that another program had taken (`restriction` `replaced`), which is connected again with its kept credentials. ' +
      'While no code is ready, 503 `qr_unavailable` says when to retry. With `phone_number` it also waits, at most 10 seconds, for a code to type.',
    errors: [...limitedErrors, 'invalid_request', 'instance_not_found', 'qr_unavailable'],
    errorExamples: {
      invalid_request: {
        message: 'phone_number must be a phone number with country code, 6 to 15 digits.',
        details: { field: 'phone_number' },
      },
    },
    success: 'The current code, or null if there is nothing to scan.',
    results: {
      scan: {
        summary: 'A code to scan',
        value: { instance_id, status: 'connecting', connected: false, already_connected: false, qrcode },
      },
      pairingCode: {
        summary: 'With a pairing code to type',
        value: {
          instance_id,
          status: 'connecting',
          connected: false,
          already_connected: false,
          qrcode: { ...qrcode, pairingCode: 'K7WQ2M9X' },
        },
      },
      connected: {
        summary: 'Already connected',
        value: { instance_id, status: 'open', connected: true, already_connected: true, qrcode: null },
      },
    },
  },
};

const progress = {
  instance_id,
  label,
  status: 'connecting',
  connected: false,
  phone_number: null,
  qrcode,
  rotation_count: 2,
  rotation_limit: 5,
  exhausted: false,
  source: 'live',
};

export const qrStatusDocs: FastifySchema = {
  docs: {
    operationId: 'getInstanceQrStatus',
    tag: 'Instances',
    summary: 'Follow a pairing attempt',
    description:
      'Poll it about every 2.5 seconds while somebody scans, and redraw the QR code from every response, because it rotates. ' +
      'Stop when `connected` is true. When `exhausted` is true, start again with `GET /v1/instances/{id}/qr`. ' +
      '`passkey_required` means that the network asks for a passkey instead of a scan: then there is no code, and `passkey` shows the progress (`GET /v1/instances/{id}/passkey`).',
    errors: [...limitedErrors, 'instance_not_found', 'number_already_connected'],
    success: 'The progress of the attempt.',
    results: {
      waiting: { summary: 'Waiting for the scan', value: progress },
      connected: {
        summary: 'Scanned',
        value: { ...progress, status: 'open', connected: true, phone_number: exampleSender, qrcode: null, rotation_count: null },
      },
      exhausted: {
        summary: 'Nobody scanned in time',
        value: { ...progress, status: 'close', qrcode: null, rotation_count: 5, exhausted: true },
      },
      passkeyRequired: {
        summary: 'The network asks for a passkey',
        value: { ...progress, qrcode: null, passkey_required: true, passkey: { stage: 'requested', expires_at: exampleTime } },
      },
      passkeyFailed: {
        summary: 'Linking with the passkey failed',
        value: {
          ...progress,
          ...{ status: 'close', qrcode: null, exhausted: true, passkey_required: true },
          passkey: { stage: 'failed', expires_at: null, reason: 'Nobody gave the passkey in time.' },
        },
      },
      checkIncomplete: { summary: 'The live check did not complete', value: { ...progress, check_incomplete: true, source: 'cached' } },
    },
  },
};

export const renameDocs: FastifySchema = {
  docs: {
    operationId: 'renameInstance',
    tag: 'Instances',
    summary: 'Rename an instance',
    description: 'Gives the number another label; nothing else changes.',
    errors: [...limitedErrors, ...bodyErrors, 'instance_not_found'],
    errorExamples: { invalid_request: { message: 'label must not be blank.', details: { field: 'label' } } },
    success: 'The instance has its new label.',
    fields: { label: `${labelField} Not blank.` },
    bodies: { rename: { summary: 'Rename', value: { label: 'Night shift' } } },
    results: { renamed: { summary: 'Renamed', value: { instance_id, label: 'Night shift', status: 'open' } } },
  },
};

export const deleteDocs: FastifySchema = {
  docs: {
    operationId: 'deleteInstance',
    tag: 'Instances',
    summary: 'Delete or disconnect an instance',
    description:
      'Without `logout_only`, or with a false value, the instance is removed for good: its `instance_id` is no longer valid and its slot is free. ' +
      'With a true value the number is only disconnected: the instance and its `instance_id` stay and can be paired again. ' +
      'Nothing is credited back for the day already begun, and connecting the same number again that day costs nothing more.\n\n' +
      'Deleting cannot be undone, so an unreadable or repeated `logout_only` and every other query parameter (a misspelled one, for example) give 400, and nothing is changed.',
    errors: [...limitedErrors, ...bodyErrors, 'instance_not_found'],
    errorExamples: {
      upstream_unavailable: { message: 'The network could not be told to unlink the number; nothing was changed. Retry shortly.' },
      invalid_request: {
        message: 'The query parameter logoutOnly is not known here; did you mean logout_only? Nothing was changed.',
        details: { field: 'logoutOnly' },
      },
    },
    success: 'Deleted, or disconnected.',
    query: [
      {
        name: 'logout_only',
        description:
          'A true value disconnects and keeps the instance; a false value, or none, deletes it. Any capitalisation, at most once.',
        schema: { type: 'string', enum: ['true', '1', 'yes', 'on', 'false', '0', 'no', 'off'] },
      },
    ],
    results: {
      deleted: { summary: 'Deleted', value: { instance_id, deleted: true } },
      disconnected: { summary: 'Disconnected', value: { instance_id, status: 'close', disconnected: true } },
    },
  },
};
