/** better-auth's models under our names of tables and columns (store/migrations/0001/people.ts). */
const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export const userTable = { modelName: 'users', fields: { emailVerified: 'email_verified', ...times } } as const;

export const sessionTable = {
  modelName: 'user_sessions',
  fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent', ...times },
} as const;

export const credentialTable = {
  modelName: 'user_credentials',
  fields: {
    userId: 'user_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...times,
  },
} as const;

export const verificationTable = { modelName: 'user_verifications', fields: { expiresAt: 'expires_at', ...times } } as const;

export const twoFactorTables = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'user_two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};
