import type { contactView, fileView, messageView, phonesView } from '../routes/sandbox.ts';

/**
 * What the page shows of a delivered file; its bytes are at GET /portal/api/sandbox/files/{sha256}, in an address that a browser fetches by itself with
 * ?account_id=. `available` false: it was too large to be kept. `waveform`: 64 samples from 0 to 100. `thumbnail`: a small JPEG, base64; null also for
 * a picture that can be shown itself.
 */
export type SandboxFile = ReturnType<typeof fileView>;

/** A message as its recipient sees it: the contract's GET /sandbox/messages with its file; null for kinds without one. */
export type SandboxChatMessage = ReturnType<typeof messageView>;

/** GET /portal/api/sandbox/contacts → { contacts }, newest first. `number`: digits. */
export type SandboxContact = ReturnType<typeof contactView>;

/** GET /portal/api/sandbox/phones → { phones, open_codes }. GET /portal/api/sandbox/chats/{digits} → { messages }. Scan and unlink are the contract's /sandbox/scan and /sandbox/unlink. */
export type SandboxPhones = Awaited<ReturnType<typeof phonesView>>;
