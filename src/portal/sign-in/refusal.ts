import { type AnyErrorCode, GatewayError } from '../../core/index.ts';

/** What better-auth refuses, in our words; its own are for developers. */
const refusals: Readonly<Record<string, readonly [code: AnyErrorCode, message: string]>> = {
  INVALID_EMAIL: ['invalid_request', 'That is not an e-mail address.'],
  INVALID_EMAIL_OR_PASSWORD: ['sign_in_failed', 'The e-mail address or the password is wrong.'],
  INVALID_PASSWORD: ['invalid_request', 'The password is wrong.'],
  PASSWORD_TOO_SHORT: ['invalid_request', 'The password is too short.'],
  PASSWORD_TOO_LONG: ['invalid_request', 'The password is too long.'],
  INVALID_CODE: ['sign_in_failed', 'The code is wrong. Use the latest one from the app.'],
  TOTP_CODE_USED: ['sign_in_failed', "This code has already been used. Start again with your password, and wait for the app's next code."],
  INVALID_BACKUP_CODE: ['sign_in_failed', 'The backup code is wrong or has already been used.'],
  INVALID_TWO_FACTOR_COOKIE: ['sign_in_failed', 'The time to enter the code is over. Start again with your password.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['sign_in_failed', 'Too many wrong codes. Start again with your password.'],
  TOTP_ALREADY_ENABLED: ['conflict', 'Two-factor sign-in is already turned on.'],
  TOTP_NOT_ENABLED: ['conflict', 'Two-factor sign-in is not turned on.'],
  TWO_FACTOR_NOT_ENABLED: ['conflict', 'Two-factor sign-in is not turned on.'],
  BACKUP_CODES_NOT_ENABLED: ['conflict', 'Two-factor sign-in is not turned on.'],
};

/** The failure to answer with when better-auth refused for the reason `code`. */
export function refusal(passedOn: Response, code: string | undefined): GatewayError {
  const known = code === undefined ? undefined : refusals[code];
  if (known !== undefined) return new GatewayError(...known);
  switch (passedOn.status) {
    case 401:
      return new GatewayError('sign_in_failed', 'The sign-in was refused.');
    case 409:
      return new GatewayError('conflict', 'Somebody did the same thing just now. Try again.');
    case 400:
    case 403:
    case 422:
      return new GatewayError('invalid_request', 'This was refused.');
    default:
      throw new Error(`better-auth answered ${passedOn.status} ${code}`);
  }
}
