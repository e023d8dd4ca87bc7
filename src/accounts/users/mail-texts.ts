import type { Role } from './memberships.ts';

/** What the service is called where no brand names it. */
const gateway = 'the messaging gateway';

/** A mail's subject and its plain text. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** The mail that brings an invitation; `leadsTo` is the name of the account or provider. */
export function invitationMail({
  role,
  leadsTo,
  link,
  expiresAt,
  service = gateway,
}: {
  role: Role;
  leadsTo: string | null;
  link: string;
  expiresAt: number;
  /** What the person is invited to. */
  service?: string;
}): MailText {
  return {
    subject: `Your invitation to ${service}`,
    text: `Hello,

you have been invited to ${service} as ${standing(role, leadsTo)}.

Open this link to get started. It works once, until ${told(expiresAt)}:

${link}

If you did not expect this invitation, you can ignore this e-mail.
`,
  };
}

/** The mail that brings a link to choose a new password. */
export function passwordResetMail({ link, expiresAt, service = gateway }: { link: string; expiresAt: number; service?: string }): MailText {
  return {
    subject: `A new password for ${service}`,
    text: `Hello,

open this link to choose a new password for ${service}. It works once, until ${told(expiresAt)}, and signs you out everywhere:

${link}

If you did not ask for this, you can ignore this e-mail: your password stays as it is.
`,
  };
}

function standing(role: Role, leadsTo: string | null): string {
  switch (role) {
    case 'operator':
      return 'an operator';
    case 'provider_admin':
      return `an admin of the provider "${leadsTo}"`;
    case 'owner':
      return `an owner of the account "${leadsTo}"`;
    case 'member':
      return `a member of the account "${leadsTo}"`;
  }
}

/** As in 2026-12-31 18:00 UTC. */
const told = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
