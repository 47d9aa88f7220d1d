import { useEffect, useState } from 'preact/hooks';
import { isInTime, may } from '../connection/can';
import type { Message } from '../connection/records';
import { organization } from '../connection/state';
import { read } from '../conversations/asking';
import { isMine } from '../conversations/message-window';
import { placeOf } from '../conversations/places';
import { markUnread, setFlag } from '../conversations/reading';
import { forwarded, reply } from '../conversations/replying';
import { copyText } from '../parts/copy-button';
import { Menu, type MenuItem } from '../parts/menu';
import { attempt } from '../parts/task';
import { linkTo } from './links';
import { mayOpen, MessageStageDialog, type MessageStage } from './message-stage';
import * as words from './words';

interface MessageMenuProperties {
  readonly message: Message;
  readonly name: string;
  readonly anchor: Element;
  readonly onQuote: ((message: Message) => void) | null;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

function mayErase(message: Message): boolean {
  const { stream_id: channelId, timestamp } = message;
  if (may('can_delete_any_message_group', channelId)) return true;
  return (
    isMine(message) &&
    may('can_delete_own_message_group', channelId) &&
    isInTime('message_content_delete_limit_seconds', timestamp)
  );
}

/** All actions on a message, and their dialogs. */
export function MessageMenu(properties: MessageMenuProperties) {
  const { message, name, anchor, onQuote, onEdit, onClose } = properties;
  const [stage, setStage] = useState<MessageStage | 'menu' | null>('menu');
  useEffect(() => {
    if (stage === null) onClose();
  }, [stage]);
  const close = () => setStage(null);
  const { id, flags } = message;
  const place = placeOf(message);
  const isStarred = flags.includes('starred');
  const shows = (isShown: boolean, item: MenuItem) => (isShown ? [item] : []);
  const items: MenuItem[] = [
    { label: words.message.reply, icon: 'reply', run: () => reply(place) },
    ...shows(onQuote !== null, { label: words.message.quote, icon: 'quote', run: () => onQuote?.(message) }),
    {
      label: words.message.forward,
      icon: 'forward',
      run: () => (forwarded.value = id),
    },
    null,
    {
      label: words.message.copyLink,
      icon: 'link',
      run: () => void copyText(linkTo(place, id), words.copied),
    },
    {
      label: words.message.copyText,
      icon: 'file',
      run: () => attempt(read(id, false).then(({ content }) => copyText(content, words.textCopied))),
    },
    null,
    ...shows(isMine(message), { label: words.message.edit, icon: 'edit', run: onEdit }),
    ...shows(message.last_edit_timestamp !== undefined, {
      label: words.message.history,
      icon: 'clock',
      run: () => setStage('history'),
    }),
    ...shows(mayOpen('move', message), {
      label: words.message.move,
      icon: 'move',
      run: () => setStage('move'),
    }),
    {
      label: isStarred ? words.message.unstar : words.message.star,
      icon: 'star',
      run: () => attempt(setFlag(message, 'starred')),
    },
    { label: words.message.remind, icon: 'bell', run: () => setStage('remind') },
    {
      label: flags.includes('collapsed') ? words.message.expand : words.message.collapse,
      icon: 'minus',
      run: () => attempt(setFlag(message, 'collapsed')),
    },
    { label: words.message.markUnread, icon: 'inbox', run: () => attempt(markUnread(message)) },
    ...shows(mayOpen('receipts', message), {
      label: words.message.receipts,
      icon: 'eye',
      run: () => setStage('receipts'),
    }),
    ...shows(!isMine(message) && Number(organization.value['realm_moderation_request_channel_id']) > 0, {
      label: words.message.report,
      icon: 'flag',
      run: () => setStage('report'),
    }),
    ...(mayErase(message)
      ? [
          null,
          {
            label: words.message.erase,
            icon: 'trash',
            isDangerous: true,
            run: () => setStage('erase'),
          } as const,
        ]
      : []),
  ];
  if (stage === 'menu') {
    return <Menu anchor={anchor} label={words.message.menu(name)} items={items} onClose={close} />;
  }
  return stage && <MessageStageDialog message={message} stage={stage} onClose={close} />;
}
