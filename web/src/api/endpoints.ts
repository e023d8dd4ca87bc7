import type {
  AccountView,
  FirstSteps,
  FormerView,
  InvitationView,
  KeyDetail,
  KeyView,
  ListedAccount,
  MemberDetail,
  MemberView,
  NewInvitationView,
  NewKeyView,
  PlanView,
  UsageView,
} from '../../../src/portal/wire/account.ts';
import type {
  AlertDeliveryView,
  AlertPayloadView,
  AlertProblemView,
  AlertTargetChange,
  AlertTargetView,
  NewAlertTargetView,
} from '../../../src/portal/wire/alerts.ts';
import type { ProviderBrand } from '../../../src/portal/wire/brand.ts';
import type { AccountImport, AccountNoteView, CustomersUsage, NumberImport, PlanChoice } from '../../../src/portal/wire/customers.ts';
import type { HomeView } from '../../../src/portal/wire/home.ts';
import type { BulkView, IdsView, ListView } from '../../../src/portal/wire/listing.ts';
import type { PairingView } from '../../../src/portal/wire/live.ts';
import type {
  AccountChange,
  AccountDetail,
  AnyNumberDetail,
  AuditEntry,
  HealthView,
  InvitationDetail,
  NewAccountView,
  NumberDetail,
  NumberView,
  OperatorSteps,
  PasswordResetView,
  ProviderDetail,
  ProviderView,
  UserDetail,
  UserView,
} from '../../../src/portal/wire/operator.ts';
import type { SandboxChatMessage, SandboxContact, SandboxPhones } from '../../../src/portal/wire/sandbox.ts';
import type { SearchView } from '../../../src/portal/wire/search.ts';
import type { ActivityPage, KindView, RequestView } from '../../../src/portal/wire/sending.ts';
import type {
  Language,
  LinkUse,
  LinkView,
  MembershipView,
  NewScanLink,
  PortalSession,
  Role,
  SignedInBrowser,
  SignInView,
} from '../../../src/portal/wire/session.ts';
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
  readonly '/portal/api/audit': AuditEntry;
  readonly '/portal/api/keys': KeyView;
  readonly '/portal/api/numbers': NumberView;
  readonly '/portal/api/operator/accounts': ListedAccount;
  readonly '/portal/api/operator/audit': AuditEntry;
  readonly '/portal/api/operator/invitations': InvitationView;
  readonly '/portal/api/operator/numbers': NumberView;
  readonly '/portal/api/operator/providers': ProviderView;
  readonly '/portal/api/operator/users': UserView;
}
export type ListPath = keyof Lists;

/** The lists whose rows can be changed together. */
export type BulkPath = '/portal/api/keys' | '/portal/api/numbers' | `/portal/api/operator/${'accounts' | 'numbers' | 'users'}`;
interface BulkBody {
  readonly action: string;
  readonly ids: readonly string[];
  readonly preview: boolean;
}

type ListEndpoints = { readonly [Path in ListPath as `GET ${Path}`]: Ask<ListView<Lists[Path]>> } & {
  readonly [Path in ListPath as `GET ${Path}/ids`]: Ask<IdsView>;
} & { readonly [Path in BulkPath as `POST ${Path}/bulk`]: Send<BulkBody, BulkView> };

/** Alert targets are kept at the account, or at the providers and the whole gateway. */
export type AlertsPath = '/portal/api/alerts' | '/portal/api/operator/alerts';
interface AlertEndpoints {
  readonly 'GET ': Ask<{ readonly targets: readonly AlertTargetView[] }>;
  readonly 'POST ': Send<AlertTargetChange, NewAlertTargetView>;
  readonly 'PATCH /:id': Send<AlertTargetChange, AlertTargetView>;
  readonly 'DELETE /:id': Ask;
  readonly 'POST /:id/test': Ask;
  readonly 'POST /:id/secret': Ask<{ readonly secret: string }>;
  readonly 'GET /:id/deliveries': Ask<{ readonly deliveries: readonly AlertDeliveryView[]; readonly before: string | null }>;
  readonly 'GET /:id/deliveries/:delivery': Ask<AlertPayloadView>;
  readonly 'POST /:id/deliveries/:delivery/resend': Ask;
  /** null: nothing is looked for. */
  readonly 'GET /problems': Ask<{ readonly problems: readonly AlertProblemView[] | null; readonly before: string | null }>;
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

  readonly 'POST /portal/auth/sign-in': Send<{ readonly email: string; readonly password: string }, SignInView>;
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
  readonly 'GET /portal/api/links/:token': Ask<LinkView>;
  readonly 'POST /portal/api/links/:token': Send<LinkUse, SignInView>;
  readonly 'GET /portal/api/links/:token/instances/:id/qr': Ask;
  readonly 'GET /portal/api/links/:token/instances/:id/qr-status': Ask<QrStatus>;
  readonly 'POST /portal/api/links/:token/confirm': Ask<{ readonly address: string }>;
  readonly 'GET /portal/api/browsers': Ask<{ readonly browsers: readonly SignedInBrowser[] }>;
  readonly 'DELETE /portal/api/browsers/:id': Ask;
  readonly 'DELETE /portal/api/browsers/others': Ask<{ readonly ended: number }>;

  readonly 'GET /portal/api/session': Ask<PortalSession>;
  readonly 'PUT /portal/api/language': Send<{ readonly language: Language }>;
  readonly 'GET /portal/api/search': Ask<SearchView>;
  readonly 'GET /portal/api/home': Ask<HomeView>;
  readonly 'GET /portal/api/kinds': Ask<{ readonly kinds: readonly KindView[] }>;

  readonly 'GET /portal/api/account': Ask<AccountView>;
  readonly 'GET /portal/api/account/former': Ask<{ readonly former: readonly FormerView[] }>;
  readonly 'POST /portal/api/account/former': Send<Pick<FormerView, 'kind' | 'id'> & { readonly keep: boolean }>;
  readonly 'GET /portal/api/first-steps': Ask<FirstSteps>;
  readonly 'POST /portal/api/keys': Send<{ readonly label?: string }, NewKeyView>;
  readonly 'GET /portal/api/keys/:id': Ask<KeyDetail>;
  readonly 'DELETE /portal/api/keys/:id': Ask;
  readonly 'GET /portal/api/numbers/:id': Ask<NumberDetail>;
  readonly 'PATCH /portal/api/numbers/:id': Send<Pick<NumberDetail, 'chat_budget'>>;
  readonly 'POST /portal/api/numbers/:id/scan-link': Ask<NewScanLink>;
  readonly 'GET /portal/api/pairings/:id': Ask<PairingView>;
  readonly 'POST /portal/api/messages/:type': Send<unknown>;
  readonly 'GET /portal/api/activity': Ask<ActivityPage>;
  readonly 'GET /portal/api/requests/:id': Ask<RequestView>;
  readonly 'GET /portal/api/usage': Ask<UsageView>;
  readonly 'GET /portal/api/sandbox/contacts': Ask<{ readonly contacts: readonly SandboxContact[] }>;
  readonly 'GET /portal/api/sandbox/chats/:digits': Ask<{ readonly messages: readonly SandboxChatMessage[] }>;
  readonly 'GET /portal/api/sandbox/phones': Ask<SandboxPhones>;
  readonly 'GET /portal/api/members': Ask<{
    readonly members: readonly MemberView[];
    readonly invitations: readonly InvitationView[];
  }>;
  readonly 'POST /portal/api/members': Send<{ readonly email: string; readonly role: Role }, NewInvitationView>;
  readonly 'GET /portal/api/members/:id': Ask<MemberDetail>;
  readonly 'PATCH /portal/api/members/:id': Send<{ readonly role: Role }>;
  readonly 'DELETE /portal/api/members/:id': Ask;
  readonly 'GET /portal/api/members/invitations/:id': Ask<InvitationDetail>;
  readonly 'DELETE /portal/api/members/invitations/:id': Ask;
  readonly 'POST /portal/api/members/invitations/:id/resend': Send<object, NewInvitationView>;

  readonly 'POST /portal/api/operator/accounts': Send<AccountChange, NewAccountView>;
  readonly 'GET /portal/api/operator/accounts/:id': Ask<AccountDetail>;
  readonly 'PATCH /portal/api/operator/accounts/:id': Send<AccountChange, AccountDetail>;
  readonly 'GET /portal/api/operator/accounts/:id/note': Ask<AccountNoteView>;
  readonly 'PUT /portal/api/operator/accounts/:id/note': Send<{ readonly text: string }, AccountNoteView>;
  readonly 'POST /portal/api/operator/accounts/import': Send<
    { readonly csv: string; readonly check: boolean; readonly after_line?: number; readonly provider_id?: string },
    AccountImport
  >;
  readonly 'POST /portal/api/operator/providers': Send<ProviderFields, ProviderView>;
  readonly 'GET /portal/api/operator/providers/:id': Ask<ProviderDetail>;
  readonly 'PATCH /portal/api/operator/providers/:id': Send<
    Partial<ProviderFields> & { readonly status?: ProviderView['status'] },
    ProviderView
  >;
  readonly 'GET /portal/api/operator/providers/:id/brand': Ask<ProviderBrand>;
  readonly 'PATCH /portal/api/operator/providers/:id/brand': Send<object, ProviderBrand>;
  readonly 'PUT /portal/api/operator/providers/:id/brand/logo': Send<{ readonly picture: string }, ProviderBrand>;
  readonly 'DELETE /portal/api/operator/providers/:id/brand/logo': Ask<ProviderBrand>;
  readonly 'GET /portal/api/operator/plans': Ask<{ readonly plans: readonly PlanChoice[] }>;
  readonly 'POST /portal/api/operator/plans': Send<PlanFields, PlanView>;
  readonly 'PATCH /portal/api/operator/plans/:id': Send<Partial<PlanFields>, PlanView>;
  readonly 'GET /portal/api/operator/users/:id': Ask<UserDetail>;
  readonly 'POST /portal/api/operator/users/:id/password-reset': Send<object, PasswordResetView>;
  readonly 'DELETE /portal/api/operator/users/:id/memberships': Send<MembershipView>;
  readonly 'POST /portal/api/operator/invitations': Send<
    {
      readonly email: string;
      readonly role: Role;
      readonly account_id?: string | null | undefined;
      readonly provider_id?: string | null | undefined;
    },
    NewInvitationView
  >;
  readonly 'GET /portal/api/operator/invitations/:id': Ask<InvitationDetail>;
  readonly 'DELETE /portal/api/operator/invitations/:id': Ask;
  readonly 'POST /portal/api/operator/invitations/:id/resend': Send<object, NewInvitationView>;
  readonly 'GET /portal/api/operator/numbers/:id': Ask<AnyNumberDetail>;
  readonly 'POST /portal/api/operator/numbers/import': Send<Blob, NumberImport>;
  readonly 'PATCH /portal/api/operator/numbers/:id': Send<{ readonly proxy: string | null }, NumberView>;
  readonly 'GET /portal/api/operator/usage': Ask<CustomersUsage>;
  readonly 'GET /portal/api/operator/health': Ask<HealthView>;
  readonly 'GET /portal/api/operator/first-steps': Ask<OperatorSteps>;
}

/** A provider as it is written. */
export type ProviderFields = Pick<ProviderView, 'name' | 'number_capacity'> & { readonly default_plan: string | null };

/** A plan as it is written; what is not filled in is refused. */
export interface PlanFields {
  readonly name: string;
  readonly messages_per_minute: number | null;
  readonly instance_limit: number | null;
  readonly trial_message_limit: number | null;
  readonly is_default?: boolean;
}
