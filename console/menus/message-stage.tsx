import { useEffect } from 'preact/hooks';
import { may } from '../connection/can';
import type { Message } from '../connection/records';
import { organization } from '../connection/state';
import { RemindDialog } from '../drafts/later-dialogs';
import { announce } from '../parts/status';
import { notAllowed } from '../words';
import { EraseDialog, HistoryDialog, ReceiptsDialog, ReportDialog } from './message-dialogs';
import { MoveDialog } from './move-dialog';

/** Dialogs about a message. */
export type MessageStage = 'history' | 'receipts' | 'remind' | 'move' | 'report' | 'erase';

/** Whether the user can open a dialog about a message, according to the state. */
export function mayOpen(stage: MessageStage, { stream_id: channelId }: Message): boolean {
  if (stage === 'receipts') return organization.value['realm_enable_read_receipts'] === true;
  if (stage !== 'move') return true;
  return (
    channelId !== undefined &&
    (may('can_move_messages_between_topics_group', channelId) ||
      may('can_move_messages_within_channel_group', channelId))
  );
}

interface MessageStageProperties {
  readonly message: Message;
  readonly stage: MessageStage;
  readonly onClose: () => void;
}

/** A dialog that shows or changes something about a message. */
export function MessageStageDialog({ message, stage, onClose }: MessageStageProperties) {
  const isAllowed = mayOpen(stage, message);
  useEffect(() => {
    if (isAllowed) return;
    announce(notAllowed);
    onClose();
  }, []);
  if (!isAllowed) return null;
  const { id, stream_id: channelId, subject } = message;
  switch (stage) {
    case 'history':
      return <HistoryDialog message={message} onClose={onClose} />;
    case 'receipts':
      return <ReceiptsDialog message={message} onClose={onClose} />;
    case 'remind':
      return <RemindDialog message={message} onClose={onClose} />;
    case 'report':
      return <ReportDialog message={message} onClose={onClose} />;
    case 'erase':
      return <EraseDialog message={message} onClose={onClose} />;
    case 'move':
      return (
        <MoveDialog messageId={id} channelId={channelId!} topic={subject} isWhole={false} onClose={onClose} />
      );
  }
}
