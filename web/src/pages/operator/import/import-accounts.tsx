import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../language/language.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportResult } from './import-result.tsx';
import { useImport } from './use-import.ts';

/** The button and the dialog that make accounts from a table: first a check of every line, then the import. */
export function ImportAccounts() {
  const [opened, { open, close }] = useDisclosure(false);
  // A new one each time, so that nothing of the last file is left.
  const [round, setRound] = useState(0);
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={18} aria-hidden />} onClick={open}>
        {t('Import')}
      </Button>
      <ImportDialog key={round} opened={opened} onClose={close} onClosed={() => setRound((before) => before + 1)} />
    </>
  );
}

function ImportDialog({ opened, onClose, onClosed }: { readonly opened: boolean; onClose(): void; onClosed(): void }) {
  const work = useImport();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={onClosed}
      title={t('Import accounts')}
      size="xl"
      busy={work.importing}
      shownOnce={work.done?.some(({ link }) => link !== null) === true}
    >
      {work.done === null ? (
        <ImportForm work={work} onClose={onClose} />
      ) : (
        <ImportResult lines={work.done} failure={work.failure} left={work.left} onClose={onClose} />
      )}
    </Dialog>
  );
}
