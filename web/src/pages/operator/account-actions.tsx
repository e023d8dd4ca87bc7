import { Button, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { BulkResult } from '../../../../src/portal/wire/listing.ts';
import { operatorKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx';
import { withOutcome } from '../../parts/bulk/outcomes.ts';
import { runBulk } from '../../parts/bulk/run-bulk.ts';
import { sayWithUndo } from '../../parts/undo.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { ExtendFields, extensionOf, noExtension } from './extend-fields.tsx';
import { plansQuery } from './queries.ts';
import { TermsPreview } from './terms-preview.tsx';

const path = '/portal/api/operator/accounts';
type Action = 'suspend' | 'resume' | 'plan' | 'extend' | 'invite';
const none = 'none';

interface AccountActionsProps {
  readonly ids: readonly string[];
  onDone(left: readonly string[]): void;
}

/** What can be done with the chosen accounts. */
export function AccountActions({ ids, onDone }: AccountActionsProps) {
  const { about: action, opened, ask: open, close } = useQuestion<Action>();
  const [plan, setPlan] = useState<string | null>(null);
  const [extension, setExtension] = useState(noExtension);
  const [invited, setInvited] = useState({ email: '', role: 'owner' });
  const { data: plans = [] } = useQuery(plansQuery);
  const undo = useUndo();
  const ran = useRef<BulkResult[]>([]);
  const ask = (next: Action) => {
    setPlan(null);
    setExtension(noExtension);
    setInvited({ email: '', role: 'owner' });
    open(next);
  };
  const body = {
    suspend: { action: 'suspend' },
    resume: { action: 'resume' },
    plan: { action: 'plan', plan: plan === none ? null : plan },
    extend: { action: 'extend', ...extensionOf(extension) },
    invite: { action: 'invite', ...invited },
  };
  const ready = {
    suspend: true,
    resume: true,
    plan: plan !== null,
    extend: extensionOf(extension) !== null,
    invite: /^\S+@\S+$/.test(invited.email),
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => ask('plan')}>
        {t('Change plan')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => ask('extend')}>
        {t('Extend')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => ask('invite')}>
        {t('Invite')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => ask('resume')}>
        {t('Resume')}
      </Button>
      <Button size="compact-sm" color="red" variant="light" onClick={() => ask('suspend')}>
        {t('Suspend')}
      </Button>
      {action !== null && (
        <BulkDialog
          opened={opened}
          request={{ path, body: body[action] }}
          ids={ids}
          title={titles[action](ids.length)}
          confirm={confirms[action]}
          danger={action === 'suspend'}
          ready={ready[action]}
          outlook={(results) => <TermsPreview results={results} />}
          onRan={(results) => ran.current.push(...results)}
          onClose={close}
          onDone={(left) => {
            onDone(left);
            // Only now: while the results are read the offer would run out.
            undo(action, ran.current.splice(0));
          }}
        >
          <Stack gap="sm">
            {action === 'suspend' && (
              <Text size="sm">
                {t(
                  'From the next request on, nothing is sent for these accounts, and no number can be added. Their numbers stay linked, their people can still sign in, and you can resume them at any time.',
                )}
              </Text>
            )}
            {action === 'resume' && (
              <Text size="sm">{t('From the next request on, these accounts can send again, as far as their plan and access allow.')}</Text>
            )}
            {action === 'plan' && (
              <>
                <Select
                  label={t('New plan')}
                  placeholder={t('Choose one')}
                  data={[...plans.map(({ plan_id, name }) => ({ value: plan_id, label: name })), { value: none, label: t('No plan') }]}
                  value={plan}
                  onChange={setPlan}
                  allowDeselect={false}
                  data-autofocus
                />
                <Text size="sm" c="dimmed">
                  {plan === none
                    ? t('Without a plan they can neither send nor add numbers.')
                    : t(
                        'It starts now and has no end of its own. Access ends as before; Extend moves that. Numbers above its limit stay linked; no more can be added.',
                      )}
                </Text>
              </>
            )}
            {action === 'extend' && <ExtendFields value={extension} onChange={setExtension} />}
            {action === 'invite' && (
              <>
                <TextInput
                  type="email"
                  label={t('E-mail address')}
                  value={invited.email}
                  onChange={({ currentTarget }) => setInvited({ ...invited, email: currentTarget.value.trim() })}
                  data-autofocus
                />
                <Radio.Group label={t('Role')} value={invited.role} onChange={(role) => setInvited({ ...invited, role })}>
                  <Stack gap={6} mt={6}>
                    <Radio value="owner" label={t('Owner: uses the accounts, and decides who else may')} />
                    <Radio value="member" label={t('Member: uses the accounts')} />
                  </Stack>
                </Radio.Group>
                <Text size="sm" c="dimmed">
                  {t('One invitation for each account.')}
                </Text>
              </>
            )}
          </Stack>
        </BulkDialog>
      )}
    </>
  );
}

const titles = {
  suspend: (count: number) => t('Suspend {{count}} accounts?', { count, defaultValue_one: 'Suspend {{count}} account?' }),
  resume: (count: number) => t('Resume {{count}} accounts?', { count, defaultValue_one: 'Resume {{count}} account?' }),
  plan: (count: number) => t('Change the plan of {{count}} accounts', { count, defaultValue_one: 'Change the plan of {{count}} account' }),
  extend: (count: number) => t('Extend {{count}} accounts', { count, defaultValue_one: 'Extend {{count}} account' }),
  invite: (count: number) =>
    t('Invite somebody to {{count}} accounts', { count, defaultValue_one: 'Invite somebody to {{count}} account' }),
};
const confirms = {
  suspend: (count: number) => t('Suspend {{count}} accounts', { count, defaultValue_one: 'Suspend {{count}} account' }),
  resume: (count: number) => t('Resume {{count}} accounts', { count, defaultValue_one: 'Resume {{count}} account' }),
  plan: (count: number) => t('Change {{count}} plans', { count, defaultValue_one: 'Change {{count}} plan' }),
  extend: titles.extend,
  invite: (count: number) => t('Make {{count}} invitations', { count, defaultValue_one: 'Make {{count}} invitation' }),
};

/**
 * Says what was done and offers to take it back: who was active becomes active again, and everybody gets the plan and the ends of before. It
 * offers nothing where a suspension would become the visitor's that was somebody else's. It covers those in
 * doubt too: one that was not changed is skipped.
 */
function useUndo() {
  const queryClient = useQueryClient();
  const own = rolesOf(useSession()).operator ? 'operator' : 'provider';
  return (action: Action, results: readonly BulkResult[]) => {
    const changed = withOutcome(results, 'done', 'unknown');
    if (changed.length === 0 || action === 'invite') return;
    const count = withOutcome(results, 'done').length;
    const inDoubt = t('{{count}} accounts may have been changed.', {
      count: changed.length,
      defaultValue_one: '{{count}} account may have been changed.',
    });
    const done = {
      suspend: t('{{count}} accounts are suspended.', { count, defaultValue_one: '{{count}} account is suspended.' }),
      resume: t('{{count}} accounts are active again.', { count, defaultValue_one: '{{count}} account is active again.' }),
      plan: t('{{count}} accounts have the new plan.', { count, defaultValue_one: '{{count}} account has the new plan.' }),
      extend: t('{{count}} accounts are extended.', { count, defaultValue_one: '{{count}} account is extended.' }),
    }[action];
    const message = count === 0 ? inDoubt : done;
    const ofStatus = action === 'suspend' || action === 'resume';
    if (ofStatus && changed.some(({ before }) => before?.suspended_by != null && before.suspended_by !== own)) {
      notifications.show({ message });
      return;
    }
    sayWithUndo(message, async () => {
      const { results: taken } = await (ofStatus ? statusBack(action, changed) : termsBack(changed));
      await queryClient.invalidateQueries({ queryKey: operatorKey });
      if (withOutcome(taken, 'failed', 'unknown').length > 0) throw new Error('not all could be taken back');
    });
  };
}

function statusBack(action: 'suspend' | 'resume', changed: readonly BulkResult[]) {
  const before = action === 'suspend' ? 'active' : 'suspended';
  const records = changed.filter((one) => one.before?.status === before);
  return runBulk({ path, body: { action: action === 'suspend' ? 'resume' : 'suspend' }, records });
}

function termsBack(changed: readonly BulkResult[]) {
  const before = new Map(changed.map((one) => [one.id, one.before]));
  const about = (ids: readonly string[]) => ({ terms: Object.fromEntries(ids.map((id) => [id, before.get(id)])) });
  return runBulk({ path, body: { action: 'restore' }, records: changed, about });
}
