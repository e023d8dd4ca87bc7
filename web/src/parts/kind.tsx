import {
  IconAddressBook,
  IconFileText,
  IconHandClick,
  IconListCheck,
  IconListDetails,
  IconMapPin,
  IconMessage,
  IconMessageCircle,
  IconMicrophone,
  IconMoodSmile,
  IconPhoto,
  IconSticker,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { t } from '../language/language.ts';

/** Looks of the kinds that have some of their own; a kind that is not here is shown by its type. */
const looks: Readonly<Record<string, { readonly name: string; readonly icon: ComponentType<{ size: number; 'aria-hidden': true }> }>> = {
  text: { icon: IconMessage, name: t('Text') },
  image: { icon: IconPhoto, name: t('Image') },
  document: { icon: IconFileText, name: t('Document') },
  video: { icon: IconVideo, name: t('Video') },
  audio: { icon: IconMicrophone, name: t('Voice note') },
  sticker: { icon: IconSticker, name: t('Sticker') },
  location: { icon: IconMapPin, name: t('Location') },
  contact: { icon: IconAddressBook, name: t('Contact') },
  poll: { icon: IconListCheck, name: t('Poll') },
  reaction: { icon: IconMoodSmile, name: t('Reaction') },
  buttons: { icon: IconHandClick, name: t('Buttons') },
  list: { icon: IconListDetails, name: t('List menu') },
};

/** The name of a message kind: "Voice note". */
export function kindName(type: string): string {
  return looks[type]?.name ?? type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
}

export function KindIcon({ type, size = 18 }: { readonly type: string; readonly size?: number }) {
  const Icon = looks[type]?.icon ?? IconMessageCircle;
  return <Icon size={size} aria-hidden />;
}
