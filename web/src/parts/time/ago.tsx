import { useCallback } from 'react';
import { ageText } from './age.ts';
import classes from './ago.module.css';
import { useTold } from './told.ts';

interface AgoProps {
  /** ISO 8601; null shows `none`. */
  readonly at: string | null;
  readonly none?: string;
  /** Inside a link, which leads to where the exact time stands. */
  readonly inLink?: boolean;
  /** Otherwise as the text around it. */
  readonly size?: 'xs' | 'sm';
  readonly dimmed?: boolean;
  readonly className?: string | undefined;
}

/** How long ago a moment was, or when it comes, kept up to date; the exact one is shown by `ExactTip`. A list has a hundred, so it is none of the library's texts. */
export function Ago({ at, none = '–', inLink = false, size, dimmed = false, className = '' }: AgoProps) {
  const look = { className: `${classes.text} ${className}`, 'data-size': size, 'data-dimmed': dimmed || undefined };
  return at === null ? <span {...look}>{none}</span> : <Known at={at} inLink={inLink} look={look} />;
}

interface KnownProps {
  readonly at: string;
  readonly inLink: boolean;
  readonly look: { readonly className: string };
}

function Known({ at, inLink, look }: KnownProps) {
  const told = useTold(useCallback((now) => ageText(at, now), [at]));
  const time = <time dateTime={at}>{told}</time>;
  if (inLink) {
    return (
      <span data-exact={at} {...look}>
        {time}
      </span>
    );
  }
  return (
    <button type="button" data-exact={at} {...look} className={`mantine-focus-auto ${classes.ago} ${look.className}`}>
      {time}
    </button>
  );
}
