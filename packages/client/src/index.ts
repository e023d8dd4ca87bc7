export { Gateway, type Schemas, type SendOptions } from './client.ts';
export { ApiError, type ErrorCode, type ErrorDetails, GatewayError, isApiError, NoAnswerError } from './errors.ts';
export type { PairingOptions, PairingStep } from './pair.ts';
export type { Message, SendAllOptions, Sent } from './send-all.ts';
export type { Answered, CallOptions, ClientOptions } from './transport.ts';
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent } from './webhooks.ts';
