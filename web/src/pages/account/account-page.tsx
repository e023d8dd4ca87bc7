import { Box, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../language/language.ts';
import { FormerSection } from '../../parts/account/former-section.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useManages } from '../../session/manages.ts';
import { useSession } from '../../session/session.ts';
import { ChangesPart } from './changes-part.tsx';

import { MembersPart } from './members-part.tsx';
import { PlanPart } from './plan-part.tsx';
import { SignInPart } from './sign-in/sign-in-part.tsx';

interface Part {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** What the account may use, who belongs to it, and the person's own sign-in; without an account the sign-in alone. */
export default function AccountPage() {
  const { account } = useSession();
  if (account !== null) return <OfAccount key={account.account_id} accountId={account.account_id} name={account.name} />;
  return (
    <>
      <PageHeader title={t('My profile')} text={t('Your name, password and signed-in browsers.')} />
      <SignInPart />
    </>
  );
}

function OfAccount({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const { part } = useSearch({ from: '/signed-in/account' });
  const navigate = useNavigate({ from: '/account' });
  const manages = useManages();
  const signIn: Part = { name: 'sign-in', title: t('My profile'), content: <SignInPart /> };
  const plan: Part = { name: 'plan', title: t('Plan'), content: <PlanPart /> };
  const parts: readonly Part[] = manages
    ? [
        plan,
        { name: 'members', title: t('Members'), content: <MembersPart /> },
        signIn,
        { name: 'changes', title: t('Audit log'), content: <ChangesPart /> },
      ]
    : [plan, signIn];
  const open = parts.find((one) => one.name === part) ?? plan;
  return (
    <>
      <PageHeader title={t('Account')} text={name} />
      {manages && <FormerSection accountId={accountId} />}
      {/* The open part is in the address, so that a reload and a link lead to it. */}
      <Tabs value={open.name} onChange={(chosen) => void navigate({ search: chosen === null ? {} : { part: chosen } })} keepMounted={false}>
        {/* On a phone those without room are scrolled to. */}
        <Box mb="lg" style={{ overflowX: 'auto', scrollbarWidth: 'none' }}>
          <Tabs.List miw="max-content" aria-label={t('Parts of the account')} style={{ flexWrap: 'nowrap' }}>
            {parts.map((one) => (
              <Tabs.Tab key={one.name} value={one.name} px={{ base: 'xs', xs: 'md' }} style={{ outlineOffset: -2 }}>
                {one.title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Box>
        {parts.map((one) => (
          <Tabs.Panel key={one.name} value={one.name}>
            {one.content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
