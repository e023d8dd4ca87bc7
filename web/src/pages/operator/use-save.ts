import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { useChange } from '../../parts/use-change.ts';

const said = {
  account: {
    created: (name: string) => t('The account {{name}} has been created.', { name }),
    changed: (name: string) => t('The account {{name}} has been changed.', { name }),
  },
  plan: {
    created: (name: string) => t('The plan {{name}} has been created.', { name }),
    changed: (name: string) => t('The plan {{name}} has been changed.', { name }),
  },
  provider: {
    created: (name: string) => t('The provider {{name}} has been created.', { name }),
    changed: (name: string) => t('The provider {{name}} has been changed.', { name }),
  },
} as const;

/** Creates something of the operator's (`id` null) or changes it, which `before` takes back: what the fields were. The answer is as it is afterwards. */
export function useSave<Body, Saved extends { readonly name: string }>(
  what: 'account' | 'plan' | 'provider',
  id: string | null,
  onDone: (saved: Saved) => void,
  before: (changed: Body) => Partial<Body>,
) {
  const path = `/portal/api/operator/${what}s`;
  const patch = (ofId: string, body: Partial<Body>) => call<Saved>(`${path}/${encodeURIComponent(ofId)}`, { method: 'PATCH', body });
  return useChange((body: Body) => (id === null ? call<Saved>(path, { method: 'POST', body }) : patch(id, body)), {
    said: ({ name }) => said[what][id === null ? 'created' : 'changed'](name),
    back: (body) => {
      if (id === null) return null;
      const was = before(body);
      return () => patch(id, was);
    },
    onDone,
  });
}
