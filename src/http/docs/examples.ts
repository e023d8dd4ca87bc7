/** Values that all examples share, so that they read as one story. */
export const exampleInstanceId = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
export const exampleRequestId = '01936a61-03d4-7e55-8a90-6b1c2d3e4f50';
export const exampleMessageId = '3EB0C767D097B7C1A2F4';
export const exampleSender = '4930901820';
/** A number that nobody has; in the sandbox it answers like any other. */
export const exampleRecipient = { written: '+1 555 0123', digits: '15550123' } as const;
/** When everything in the examples happened. */
export const exampleTime = '2026-01-15T09:30:00.000Z';

export const exampleLabel = 'Front desk';
export const exampleNewInstance = {
  instance_id: exampleInstanceId,
  label: exampleLabel,
  status: 'connecting',
  connected: false,
  phone_number: null,
  network: 'whatsapp',
  created_at: exampleTime,
  new_chats: null,
};
export const exampleInstance = { ...exampleNewInstance, status: 'open', connected: true, phone_number: exampleSender };
export const exampleQrCode = {
  base64: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  code: '2@Xb7Qm1nT0aZ,kP4u,9sYc',
  pairingCode: null,
};
