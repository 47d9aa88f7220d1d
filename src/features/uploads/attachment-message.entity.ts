import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Attachment } from './attachment.entity';
import { Message } from '../messages/messages.module';

/** A message that links an attachment: everyone who reads the message may read the file. */
@Entity('attachment_message')
@Index('ix_attachment_message_message_id', ['messageId'])
export class AttachmentMessage {
  @ForeignKey(() => Attachment)
  @PrimaryColumn('integer', { name: 'attachment_id' })
  attachmentId!: number;

  @ForeignKey(() => Message)
  @PrimaryColumn('integer', { name: 'message_id' })
  messageId!: number;
}
