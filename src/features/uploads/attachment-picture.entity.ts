import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Attachment } from './attachment.entity';

/** What is known of an uploaded file that says it is a picture. */
@Entity('attachment_picture')
export class AttachmentPicture {
  @ForeignKey(() => Attachment)
  @PrimaryColumn('integer', { name: 'attachment_id' })
  attachmentId!: number;

  /** Pixels, as it is to be shown: upright. Zero where the file is no picture that the server can read. */
  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('boolean', { name: 'is_animated' })
  isAnimated!: boolean;

  /** The name of a large version, where browsers do not show files of its kind. */
  @Column('text', { nullable: true })
  transcoded!: string | null;

  /** Whether smaller versions are still to be made, are there, or are not to be had. */
  @Column('text')
  thumbnails!: 'waiting' | 'made' | 'none';

  /** What the smaller versions take together. */
  @Column('bigint')
  bytes!: number;
}
