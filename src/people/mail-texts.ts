import type { Translate } from '../language/index.ts';
import type { Role } from './memberships.ts';

/** A mail's subject and its plain text. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

interface InvitationFacts {
  readonly role: Role;
  /** The name of the account or provider. */
  readonly leadsTo: string | null;
  readonly link: string;
  readonly expiresAt: number;
  /** What the person is invited to. */
  readonly service?: string;
}

export function invitationMail(t: Translate, { role, leadsTo, link, expiresAt, service = gateway(t) }: InvitationFacts): MailText {
  return {
    subject: t('Your invitation to {{service}}', { service }),
    text: paragraphs(
      t('Hello,'),
      invited(t, role, { service, place: leadsTo ?? '' }),
      t('Open this link to get started. It works once, until {{when}}:', { when: shown(expiresAt) }),
      link,
      t('If you did not expect this invitation, you can ignore this e-mail.'),
    ),
  };
}

interface ResetFacts {
  readonly link: string;
  readonly expiresAt: number;
  readonly service?: string;
}

export function passwordResetMail(t: Translate, { link, expiresAt, service = gateway(t) }: ResetFacts): MailText {
  return {
    subject: t('A new password for {{service}}', { service }),
    text: paragraphs(
      t('Hello,'),
      t('open this link to choose a new password for {{service}}. It works once, until {{when}}, and signs you out everywhere:', {
        service,
        when: shown(expiresAt),
      }),
      link,
      t('If you did not ask for this, you can ignore this e-mail: your password stays as it is.'),
    ),
  };
}

/** What the service is called where no brand names it. */
function gateway(t: Translate): string {
  return t('the messaging gateway');
}

function invited(t: Translate, role: Role, names: { readonly service: string; readonly place: string }): string {
  switch (role) {
    case 'operator':
      return t('you have been invited to {{service}} as an operator.', names);
    case 'provider_admin':
      return t('you have been invited to {{service}} as an admin of the provider "{{place}}".', names);
    case 'owner':
      return t('you have been invited to {{service}} as an owner of the account "{{place}}".', names);
    case 'member':
      return t('you have been invited to {{service}} as a member of the account "{{place}}".', names);
  }
}

const paragraphs = (...all: string[]): string => `${all.join('\n\n')}\n`;

/** As in 2026-12-31 18:00 UTC. */
const shown = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
