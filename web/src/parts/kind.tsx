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

/** Looks of the kinds that have some of their own; a kind that is not here is shown by its type. */
const looks: Readonly<Record<string, { readonly name?: string; readonly icon: ComponentType<{ size: number; 'aria-hidden': true }> }>> = {
  text: { icon: IconMessage },
  image: { icon: IconPhoto },
  document: { icon: IconFileText },
  video: { icon: IconVideo },
  audio: { icon: IconMicrophone, name: 'Voice note' },
  sticker: { icon: IconSticker },
  location: { icon: IconMapPin },
  contact: { icon: IconAddressBook },
  poll: { icon: IconListCheck },
  reaction: { icon: IconMoodSmile },
  buttons: { icon: IconHandClick },
  list: { icon: IconListDetails, name: 'List menu' },
};

/** The name of a message kind: "Voice note". */
export function kindName(type: string): string {
  return looks[type]?.name ?? type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
}

/** The picture of a message kind. */
export function KindIcon({ type, size = 18 }: { readonly type: string; readonly size?: number }) {
  const Icon = looks[type]?.icon ?? IconMessageCircle;
  return <Icon size={size} aria-hidden />;
}
