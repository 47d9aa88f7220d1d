import { useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call';
import { isInTime, may } from '../connection/can';
import type { Message } from '../connection/records';
import { organization } from '../connection/state';
import { read } from '../conversations/asking';
import { isMine } from '../conversations/message-window';
import { termsOf } from '../conversations/narrow';
import { placeOf } from '../conversations/places';
import { RemindDialog } from '../drafts/later-dialogs';
import { forwarded, reply } from '../conversations/replying';
import { copyText } from '../parts/copy-button';
import { Menu, type MenuItem } from '../parts/menu';
import { attempt } from '../parts/task';
import { linkTo } from './links';
import { EraseDialog, HistoryDialog, ReceiptsDialog, ReportDialog } from './message-dialogs';
import { MoveDialog } from './move-dialog';
import * as words from './words';

/** So many messages are marked as unread at once, as other clients do. */
const MOST_UNREAD = 5000;

interface MessageMenuProperties {
  readonly message: Message;
  readonly name: string;
  readonly anchor: Element;
  readonly onQuote: ((message: Message) => void) | null;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

type Stage = 'menu' | 'history' | 'receipts' | 'remind' | 'move' | 'report' | 'erase' | null;

/** Marks a message and those after it in its conversation as unread. */
const markUnread = (message: Message) =>
  call('POST', 'messages/flags/narrow', {
    anchor: message.id,
    include_anchor: true,
    num_before: 0,
    num_after: MOST_UNREAD,
    narrow: termsOf(placeOf(message)),
    op: 'remove',
    flag: 'read',
  });

const setStar = (message: Message, isStarred: boolean) =>
  call('POST', 'messages/flags', {
    messages: [message.id],
    op: isStarred ? 'remove' : 'add',
    flag: 'starred',
  });

function mayErase(message: Message): boolean {
  const { stream_id: channelId, timestamp } = message;
  if (may('can_delete_any_message_group', channelId)) return true;
  return (
    isMine(message) &&
    may('can_delete_own_message_group', channelId) &&
    isInTime('message_content_delete_limit_seconds', timestamp)
  );
}

/** Everything that can be done with a message, and the windows that ask for more. */
export function MessageMenu(properties: MessageMenuProperties) {
  const { message, name, anchor, onQuote, onEdit, onClose } = properties;
  const [stage, setStage] = useState<Stage>('menu');
  useEffect(() => {
    if (stage === null) onClose();
  }, [stage]);
  const close = () => setStage(null);
  const { id, stream_id: channelId, flags } = message;
  const place = placeOf(message);
  const isStarred = flags.includes('starred');
  const shows = (isShown: boolean, item: MenuItem) => (isShown ? [item] : []);
  const isInChannel = channelId !== undefined;
  const mayMove =
    isInChannel &&
    (may('can_move_messages_between_topics_group', channelId) ||
      may('can_move_messages_within_channel_group', channelId));
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
    ...shows(mayMove, { label: words.message.move, icon: 'move', run: () => setStage('move') }),
    {
      label: isStarred ? words.message.unstar : words.message.star,
      icon: 'star',
      run: () => attempt(setStar(message, isStarred)),
    },
    { label: words.message.remind, icon: 'bell', run: () => setStage('remind') },
    { label: words.message.markUnread, icon: 'inbox', run: () => attempt(markUnread(message)) },
    ...shows(organization.value['realm_enable_read_receipts'] === true, {
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
  switch (stage) {
    case 'menu':
      return <Menu anchor={anchor} label={words.message.menu(name)} items={items} onClose={close} />;
    case 'history':
      return <HistoryDialog message={message} onClose={close} />;
    case 'receipts':
      return <ReceiptsDialog message={message} onClose={close} />;
    case 'remind':
      return <RemindDialog message={message} onClose={close} />;
    case 'report':
      return <ReportDialog message={message} onClose={close} />;
    case 'erase':
      return <EraseDialog message={message} onClose={close} />;
    case 'move':
      return (
        <MoveDialog
          messageId={id}
          channelId={channelId!}
          topic={message.subject}
          isWhole={false}
          onClose={close}
        />
      );
    case null:
      return null;
  }
}
