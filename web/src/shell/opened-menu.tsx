import { Menu, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconDeviceDesktop, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { spoken, t } from '../language/language.ts';
import { languageNames, languages } from '../language/languages.ts';
import { useActing } from '../session/acting.ts';
import { chooseLanguage } from '../session/own-language.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { PersonButton } from './person-button.tsx';

const schemes = [
  { value: 'light', label: t('Light'), icon: IconSun },
  { value: 'dark', label: t('Dark'), icon: IconMoon },
  { value: 'auto', label: t('Match the device'), icon: IconDeviceDesktop },
] as const;

interface OpenedMenuProps {
  readonly opened: boolean;
  onChange(opened: boolean): void;
}

/** The person's button with its menu: their accounts, the colours, the language, and the way out. */
export default function OpenedMenu({ opened, onChange }: OpenedMenuProps) {
  const { user, accounts, account } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { actFor } = useActing();
  const signOut = useSignOut();
  const choose = useMutation({
    mutationFn: chooseLanguage,
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  return (
    <Menu position="bottom-end" width={260} withinPortal={false} opened={opened} onChange={onChange}>
      <Menu.Target>
        <PersonButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name}
          <br />
          {user.email}
        </Menu.Label>
        {accounts.length > 1 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('Accounts')}</Menu.Label>
            {accounts.map((own) => (
              <Menu.Item
                key={own.account_id}
                onClick={() => actFor(own.account_id)}
                rightSection={own.account_id === account?.account_id ? <IconCheck size={16} aria-label={t('current')} /> : null}
              >
                {own.name}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Label>{t('Colours')}</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={colorScheme === value ? <IconCheck size={16} aria-label={t('current')} /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconLanguage size={16} aria-hidden />}>{t('Language')}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {languages.map((language) => (
              <Menu.Item
                key={language}
                lang={language}
                rightSection={language === spoken() ? <IconCheck size={16} aria-label={t('current')} /> : null}
                onClick={() => choose.mutate(language)}
              >
                {languageNames[language]}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
