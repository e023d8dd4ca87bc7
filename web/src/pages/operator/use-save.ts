import { call } from '../../api/client.ts';
import { useChange } from '../../parts/use-change.ts';

/** Creates something of the operator's (`id` null) or changes it. The answer is as it is afterwards. */
export function useSave<Body, Saved extends { readonly name: string }>(
  what: 'account' | 'plan' | 'provider',
  id: string | null,
  onDone: (saved: Saved) => void,
) {
  const path = `/portal/api/operator/${what}s`;
  return useChange(
    (body: Body) =>
      id === null
        ? call<Saved>(path, { method: 'POST', body })
        : call<Saved>(`${path}/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
    { said: ({ name }) => `The ${what} ${name} has been ${id === null ? 'created' : 'changed'}.`, onDone },
  );
}
