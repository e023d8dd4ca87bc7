import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import { IconMicrophone, IconMicrophoneOff, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import type { Fields } from './content-fields.ts';
import classes from './media.module.css';
import { Missing } from './missing.tsx';
import { useFile } from './use-file.ts';
import { Waveform } from './waveform.tsx';
import { shownDuration } from './words.ts';

/** A player for a voice note; its waveform is also the slider. */
export function VoiceContent({ content, file }: { readonly content: Fields; readonly file: SandboxFile | null }) {
  const { url, missing, size, facts } = useFile(content, file);
  const player = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [measured, setMeasured] = useState<number | null>(null);
  const [broken, setBroken] = useState(false);
  const length = facts?.duration_seconds ?? measured ?? 0;

  if (broken) {
    return (
      <Missing
        icon={<IconMicrophoneOff size={24} aria-hidden />}
        what={t('Voice message')}
        why={t('Your browser cannot play it')}
        download={url === null ? null : { url, size }}
      />
    );
  }
  const toggle = () => {
    const audio = player.current;
    if (audio === null) return;
    if (audio.paused) audio.play().catch(() => setPlaying(false));
    else audio.pause();
  };
  const jump = (seconds: number) => {
    setAt(seconds);
    if (player.current !== null) player.current.currentTime = seconds;
  };
  return (
    <div className={classes.voice}>
      <VisuallyHidden>{t('Voice message')}</VisuallyHidden>
      {url === null ? (
        <IconMicrophone size={24} aria-hidden />
      ) : (
        <ActionIcon variant="filled" size={40} radius="xl" onClick={toggle} aria-label={playing ? t('Pause') : t('Play')}>
          {playing ? <IconPlayerPauseFilled size={20} aria-hidden /> : <IconPlayerPlayFilled size={20} aria-hidden />}
        </ActionIcon>
      )}
      <div className={classes.voiceTrack}>
        <Waveform samples={facts?.waveform ?? []} at={at} length={length} {...(url === null ? {} : { onJump: jump })} />
        <Text size="xs" className={classes.dim}>
          {playing || at > 0 ? `${shownDuration(at)} / ${shownDuration(length)}` : shownDuration(length)}
          {missing !== null && ` · ${missing}`}
        </Text>
      </div>
      {url !== null && (
        // biome-ignore lint/a11y/useMediaCaption: a customer's recording comes without captions.
        <audio
          ref={player}
          src={url}
          preload={facts?.duration_seconds == null ? 'metadata' : 'none'}
          onLoadedMetadata={({ currentTarget: { duration } }) => setMeasured(Number.isFinite(duration) ? duration : null)}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
          onEnded={() => setAt(0)}
          onError={() => setBroken(true)}
        />
      )}
    </div>
  );
}
