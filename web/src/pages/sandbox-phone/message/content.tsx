import type { SandboxChatMessage } from '../../../../../src/portal/wire/sandbox.ts';
import { FormattedText } from '../formatting/formatted-text.tsx';
import { ButtonsContent } from './buttons-content.tsx';
import { ContactContent } from './contact-content.tsx';
import { textIn } from './content-fields.ts';
import { DocumentContent } from './document-content.tsx';
import { ImageContent } from './image-content.tsx';
import { ListContent } from './list-content.tsx';
import { LocationContent } from './location-content.tsx';
import { PollContent } from './poll-content.tsx';
import { StickerContent } from './sticker-content.tsx';
import { VideoContent } from './video-content.tsx';
import { VoiceContent } from './voice-content.tsx';

/** What a message says, as its kind is drawn on a phone. Reactions are not drawn here: they sit on another message. */
export function Content({ message: { type, content, file } }: { readonly message: SandboxChatMessage }) {
  switch (type) {
    case 'text':
      return <FormattedText text={textIn(content, 'text') ?? ''} />;
    case 'image':
      return <ImageContent content={content} file={file} />;
    case 'video':
      return <VideoContent content={content} file={file} />;
    case 'audio':
      return <VoiceContent content={content} file={file} />;
    case 'sticker':
      return <StickerContent content={content} file={file} />;
    case 'document':
      return <DocumentContent content={content} file={file} />;
    case 'location':
      return <LocationContent content={content} />;
    case 'contact':
      return <ContactContent content={content} />;
    case 'poll':
      return <PollContent content={content} />;
    case 'buttons':
      return <ButtonsContent content={content} />;
    case 'list':
      return <ListContent content={content} />;
    case 'reaction':
      return null;
  }
}
