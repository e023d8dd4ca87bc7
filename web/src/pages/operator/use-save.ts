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

interface SaveOptions<Body, Saved> {
  readonly what: keyof typeof said;
  /** null: it is created. */
  readonly id: string | null;
  create(body: Body): Promise<Saved>;
  change(id: string, body: Partial<Body>): Promise<Saved>;
  /** The fields that a change sends. */
  changed(body: Body): Partial<Body>;
  /** What the changed fields were, which takes the change back; null: nothing does. */
  before(changed: Partial<Body>): Partial<Body> | null;
  /** Told how it is afterwards. */
  onDone(saved: Saved): void;
}

/** Creates something of the operator's or changes it. */
export function useSave<Body, Saved extends { readonly name: string }>({
  what,
  id,
  create,
  change,
  changed,
  before,
  onDone,
}: SaveOptions<Body, Saved>) {
  return useChange((body: Body) => (id === null ? create(body) : change(id, changed(body))), {
    said: ({ name }) => said[what][id === null ? 'created' : 'changed'](name),
    back: (body) => {
      if (id === null) return null;
      const was = before(changed(body));
      return was === null ? null : () => change(id, was);
    },
    onDone,
  });
}
