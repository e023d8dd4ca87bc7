import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../../language/language.ts';
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx';
import { idsWith } from '../../parts/bulk/outcomes.ts';
import { roleName } from '../../parts/people/role-name.ts';
import { useQuestion } from '../../parts/use-question.ts';

interface RemoveRolesActionProps {
  readonly ids: readonly string[];
  /** Only roles of this kind; absent: all that are on the page. */
  readonly role: string | undefined;
  onDone(left: readonly string[]): void;
}

/** Takes roles from the chosen people. */
export function RemoveRolesAction({ ids, role, onDone }: RemoveRolesActionProps) {
  const { about, opened, ask, close } = useQuestion<true>();
  return (
    <>
      <Button size="compact-sm" color="red" variant="light" onClick={() => ask(true)}>
        {t('Remove roles')}
      </Button>
      {about !== null && (
        <BulkDialog
          opened={opened}
          request={{ path: '/portal/api/operator/users', body: { action: 'remove_roles', ...(role === undefined ? {} : { role }) } }}
          ids={ids}
          title={t('Remove the roles of {{count}} people?', {
            count: ids.length,
            defaultValue_one: 'Remove the roles of {{count}} person?',
          })}
          confirm={(count) => t('Remove from {{count}} people', { count, defaultValue_one: 'Remove from {{count}} person' })}
          danger
          onRan={(results) => {
            const count = idsWith(results, 'done').length;
            if (count > 0)
              notifications.show({
                message: t('{{count}} people lost their roles.', { count, defaultValue_one: '{{count}} person lost their roles.' }),
              });
          }}
          onClose={close}
          onDone={onDone}
        >
          <Text size="sm">
            {role === undefined
              ? t(
                  'They lose every role listed here and can open nothing with them from their next request on. The last owner of an account and the last operator stay.',
                )
              : t(
                  'They lose the role “{{role}}” wherever they have it, from their next request on. The last owner of an account and the last operator stay.',
                  {
                    role: roleName(role),
                  },
                )}
          </Text>
        </BulkDialog>
      )}
    </>
  );
}
