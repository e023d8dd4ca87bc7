import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../language/language.ts';

/** How long a button says that it has copied. */
const saidMs = 2000;

/** Copies a text to the clipboard; false when the browser does not allow it. */
async function copyText(text: string): Promise<boolean> {
  // Browsers allow the clipboard only to pages that came by HTTPS or from the same machine.
  if (navigator.clipboard === undefined) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies by selecting: works without the clipboard API, which browsers give only to secure pages. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position:fixed;opacity:0';
  // Inside the open dialog, if there is one, because it keeps the focus.
  (focused?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** For a copy button: `copied` is true for two seconds after it worked, `failed` until the next try. */
export function useCopy(text: string): { readonly copied: boolean; readonly failed: boolean; copy(): void } {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (result !== 'copied') return;
    const timer = setTimeout(() => setResult(null), saidMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = useCallback(() => void copyText(text).then((copied) => setResult(copied ? 'copied' : 'failed')), [text]);
  return { copied: result === 'copied', failed: result === 'failed', copy };
}

/** Copies and says so in the corner of the page, for buttons that vanish when they are pressed. */
export function useCopyWithNotice(): (text: string, label: string) => void {
  return useCallback(
    (text, label) =>
      void copyText(text).then((copied) =>
        notifications.show(
          copied
            ? { title: t('{{label}} copied', { label }), message: text }
            : { title: t('Copy this by hand: {{label}}', { label }), message: text, autoClose: false, color: 'orange' },
        ),
      ),
    [],
  );
}
