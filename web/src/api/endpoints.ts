import type * as wire from '../../../src/portal/wire/index.ts';
import type { Instance, PasskeyRequest, QrStatus, Scanned } from './contract.ts';

/** What is asked without a body. */
interface Ask<Answer = unknown> {
  readonly answer: Answer;
}

/** What is sent with one. */
interface Send<Body, Answer = unknown> extends Ask<Answer> {
  readonly body: Body;
}

/** The rows of every list, by its path. */
export interface Lists {
  readonly '/portal/api/audit': wire.AuditEntry;
  readonly '/portal/api/keys': wire.KeyView;
  readonly '/portal/api/numbers': wire.NumberView;
  readonly '/portal/api/operator/accounts': wire.AccountView;
  readonly '/portal/api/operator/audit': wire.AuditEntry;
  readonly '/portal/api/operator/invitations': wire.InvitationView;
  readonly '/portal/api/operator/numbers': wire.NumberView;
  readonly '/portal/api/operator/providers': wire.ProviderView;
  readonly '/portal/api/operator/users': wire.UserView;
}
export type ListPath = keyof Lists;

/** The lists whose rows can be changed together. */
export type BulkPath = '/portal/api/keys' | '/portal/api/numbers' | `/portal/api/operator/${'accounts' | 'numbers' | 'users'}`;
interface BulkBody {
  readonly action: string;
  readonly ids: readonly string[];
  readonly preview: boolean;
}

type ListEndpoints = { readonly [Path in ListPath as `GET ${Path}`]: Ask<wire.ListView<Lists[Path]>> } & {
  readonly [Path in ListPath as `GET ${Path}/ids`]: Ask<wire.IdsView>;
} & { readonly [Path in BulkPath as `POST ${Path}/bulk`]: Send<BulkBody, wire.BulkView> };

/** Alert targets are kept at the account, or at the providers and the whole gateway. */
export type AlertsPath = '/portal/api/alerts' | '/portal/api/operator/alerts';
interface AlertEndpoints {
  readonly 'GET ': Ask<{ readonly targets: readonly wire.AlertTargetView[] }>;
  readonly 'POST ': Send<wire.AlertTargetChange, wire.NewAlertTargetView>;
  readonly 'PATCH /:id': Send<wire.AlertTargetChange, wire.AlertTargetView>;
  readonly 'DELETE /:id': Ask;
  readonly 'POST /:id/test': Ask;
  readonly 'POST /:id/secret': Ask<{ readonly secret: string }>;
  readonly 'GET /:id/deliveries': Ask<{ readonly deliveries: readonly wire.AlertDeliveryView[]; readonly before: string | null }>;
  readonly 'POST /:id/deliveries/:delivery/resend': Ask;
}
type AtEachHome = {
  readonly [Name in keyof AlertEndpoints as Name extends `${infer Method} ${infer Rest}`
    ? `${Method} ${AlertsPath}${Rest}`
    : never]: AlertEndpoints[Name];
};

/** Every endpoint that the pages ask, by method and path: what is sent to it, and the `data` of its answer. */
export interface Endpoints extends ListEndpoints, AtEachHome {
  readonly 'GET /v1/instances': Ask<{ readonly instances: readonly Instance[] }>;
  readonly 'POST /v1/instances': Send<{ readonly network: string; readonly label?: string }, Instance>;
  readonly 'PATCH /v1/instances/:id': Send<{ readonly label: string }, { readonly label: string }>;
  readonly 'DELETE /v1/instances/:id': Ask;
  readonly 'GET /v1/instances/:id/status': Ask;
  readonly 'GET /v1/instances/:id/qr': Ask;
  readonly 'GET /v1/instances/:id/qr-status': Ask<QrStatus>;
  readonly 'GET /v1/instances/:id/passkey': Ask<PasskeyRequest>;
  readonly 'POST /v1/instances/:id/passkey': Send<{ readonly credential: unknown }>;
  readonly 'POST /v1/instances/:id/passkey/confirm': Ask;
  readonly 'POST /sandbox/scan': Send<{ readonly code: string; readonly phone_number: string }, Scanned>;
  readonly 'POST /sandbox/unlink': Send<{ readonly phone_number: string }>;

  readonly 'POST /portal/auth/sign-in': Send<{ readonly email: string; readonly password: string }, wire.SignInView>;
  readonly 'POST /portal/auth/sign-out': Send<object>;
  readonly 'POST /portal/auth/change-name': Send<{ readonly name: string }>;
  readonly 'POST /portal/auth/change-password': Send<{ readonly currentPassword: string; readonly newPassword: string }>;
  readonly 'POST /portal/auth/two-factor/enable': Send<
    { readonly password: string },
    { readonly totp_uri: string; readonly backup_codes: readonly string[] }
  >;
  readonly 'POST /portal/auth/two-factor/disable': Send<{ readonly password: string }>;
  readonly 'POST /portal/auth/two-factor/backup-codes': Send<{ readonly password: string }, { readonly backup_codes: readonly string[] }>;
  readonly 'POST /portal/auth/two-factor/verify-totp': Send<{ readonly code: string }>;
  readonly 'POST /portal/auth/two-factor/verify-backup-code': Send<{ readonly code: string }>;
  readonly 'GET /portal/api/links/:token': Ask<wire.LinkView>;
  readonly 'POST /portal/api/links/:token': Send<wire.LinkUse, wire.SignInView>;
  readonly 'POST /portal/api/links/:token/confirm': Ask<{ readonly address: string }>;
  readonly 'GET /portal/api/browsers': Ask<{ readonly browsers: readonly wire.SignedInBrowser[] }>;
  readonly 'DELETE /portal/api/browsers/:id': Ask;
  readonly 'DELETE /portal/api/browsers/others': Ask<{ readonly ended: number }>;

  readonly 'GET /portal/api/session': Ask<wire.PortalSession>;
  readonly 'PUT /portal/api/language': Send<{ readonly language: wire.Language }>;
  readonly 'GET /portal/api/search': Ask<wire.SearchView>;
  readonly 'GET /portal/api/home': Ask<wire.HomeView>;
  readonly 'GET /portal/api/kinds': Ask<{ readonly kinds: readonly wire.KindView[] }>;

  readonly 'GET /portal/api/account': Ask<wire.AccountView>;
  readonly 'GET /portal/api/account/former': Ask<{ readonly former: readonly wire.FormerView[] }>;
  readonly 'POST /portal/api/account/former': Send<Pick<wire.FormerView, 'kind' | 'id'> & { readonly keep: boolean }>;
  readonly 'GET /portal/api/first-steps': Ask<wire.FirstSteps>;
  readonly 'POST /portal/api/keys': Send<{ readonly label?: string }, wire.NewKeyView>;
  readonly 'GET /portal/api/keys/:id': Ask<wire.KeyDetail>;
  readonly 'DELETE /portal/api/keys/:id': Ask;
  readonly 'GET /portal/api/numbers/:id': Ask<wire.NumberDetail>;
  readonly 'PATCH /portal/api/numbers/:id': Send<Pick<wire.NumberDetail, 'chat_budget'>>;
  readonly 'GET /portal/api/pairings/:id': Ask<wire.PairingView>;
  readonly 'POST /portal/api/messages/:type': Send<unknown>;
  readonly 'GET /portal/api/activity': Ask<wire.ActivityPage>;
  readonly 'GET /portal/api/requests/:id': Ask<wire.RequestView>;
  readonly 'GET /portal/api/usage': Ask<wire.UsageView>;
  readonly 'GET /portal/api/sandbox/contacts': Ask<{ readonly contacts: readonly wire.SandboxContact[] }>;
  readonly 'GET /portal/api/sandbox/chats/:digits': Ask<{ readonly messages: readonly wire.SandboxChatMessage[] }>;
  readonly 'GET /portal/api/sandbox/phones': Ask<wire.SandboxPhones>;
  readonly 'GET /portal/api/members': Ask<{
    readonly members: readonly wire.MemberView[];
    readonly invitations: readonly wire.InvitationView[];
  }>;
  readonly 'POST /portal/api/members': Send<{ readonly email: string; readonly role: wire.Role }, wire.NewInvitationView>;
  readonly 'GET /portal/api/members/:id': Ask<wire.MemberDetail>;
  readonly 'PATCH /portal/api/members/:id': Send<{ readonly role: wire.Role }>;
  readonly 'DELETE /portal/api/members/:id': Ask;
  readonly 'GET /portal/api/members/invitations/:id': Ask<wire.InvitationDetail>;
  readonly 'DELETE /portal/api/members/invitations/:id': Ask;
  readonly 'POST /portal/api/members/invitations/:id/resend': Send<object, wire.NewInvitationView>;

  readonly 'POST /portal/api/operator/accounts': Send<wire.AccountChange, wire.NewAccountView>;
  readonly 'GET /portal/api/operator/accounts/:id': Ask<wire.AccountDetail>;
  readonly 'PATCH /portal/api/operator/accounts/:id': Send<wire.AccountChange, wire.AccountDetail>;
  readonly 'GET /portal/api/operator/accounts/:id/note': Ask<wire.AccountNoteView>;
  readonly 'PUT /portal/api/operator/accounts/:id/note': Send<{ readonly text: string }, wire.AccountNoteView>;
  readonly 'POST /portal/api/operator/accounts/import': Send<
    { readonly csv: string; readonly check: boolean; readonly after_line?: number; readonly provider_id?: string },
    wire.AccountImport
  >;
  readonly 'POST /portal/api/operator/providers': Send<ProviderFields, wire.ProviderView>;
  readonly 'GET /portal/api/operator/providers/:id': Ask<wire.ProviderDetail>;
  readonly 'PATCH /portal/api/operator/providers/:id': Send<
    Partial<ProviderFields> & { readonly status?: wire.ProviderView['status'] },
    wire.ProviderView
  >;
  readonly 'GET /portal/api/operator/providers/:id/brand': Ask<wire.ProviderBrand>;
  readonly 'PATCH /portal/api/operator/providers/:id/brand': Send<object, wire.ProviderBrand>;
  readonly 'PUT /portal/api/operator/providers/:id/brand/logo': Send<{ readonly picture: string }, wire.ProviderBrand>;
  readonly 'DELETE /portal/api/operator/providers/:id/brand/logo': Ask<wire.ProviderBrand>;
  readonly 'GET /portal/api/operator/plans': Ask<{ readonly plans: readonly wire.PlanChoice[] }>;
  readonly 'POST /portal/api/operator/plans': Send<PlanFields, wire.PlanView>;
  readonly 'PATCH /portal/api/operator/plans/:id': Send<Partial<PlanFields>, wire.PlanView>;
  readonly 'GET /portal/api/operator/users/:id': Ask<wire.UserDetail>;
  readonly 'POST /portal/api/operator/users/:id/password-reset': Send<object, wire.PasswordResetView>;
  readonly 'DELETE /portal/api/operator/users/:id/memberships': Send<wire.MembershipView>;
  readonly 'POST /portal/api/operator/invitations': Send<
    {
      readonly email: string;
      readonly role: wire.Role;
      readonly account_id?: string | null | undefined;
      readonly provider_id?: string | null | undefined;
    },
    wire.NewInvitationView
  >;
  readonly 'GET /portal/api/operator/invitations/:id': Ask<wire.InvitationDetail>;
  readonly 'DELETE /portal/api/operator/invitations/:id': Ask;
  readonly 'POST /portal/api/operator/invitations/:id/resend': Send<object, wire.NewInvitationView>;
  readonly 'GET /portal/api/operator/numbers/:id': Ask<wire.NumberDetail>;
  readonly 'PATCH /portal/api/operator/numbers/:id': Send<{ readonly proxy: string | null }, wire.NumberView>;
  readonly 'GET /portal/api/operator/usage': Ask<wire.CustomersUsage>;
  readonly 'GET /portal/api/operator/health': Ask<wire.HealthView>;
}

/** A provider as it is written. */
export type ProviderFields = Pick<wire.ProviderView, 'name' | 'number_capacity'> & { readonly default_plan: string | null };

/** A plan as it is written; what is not filled in is refused. */
export interface PlanFields {
  readonly name: string;
  readonly messages_per_minute: number | null;
  readonly instance_limit: number | null;
  readonly trial_message_limit: number | null;
  readonly is_default?: boolean;
}
