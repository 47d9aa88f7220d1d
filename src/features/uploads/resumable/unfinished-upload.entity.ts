import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A file that arrives piece by piece. The row goes once the last piece is there. */
@Entity('unfinished_upload')
@Index('ix_unfinished_upload_owner_id', ['ownerId'])
@Index('ix_unfinished_upload_touched_at', ['touchedAt'])
export class UnfinishedUpload {
  /** The unguessable part of its address. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'owner_id' })
  ownerId!: number;

  @Column('text', { name: 'file_name' })
  fileName!: string;

  /** As the client states it. */
  @Column('text', { name: 'content_type' })
  contentType!: string;

  /** Names of the files that hold what has arrived, by commas, first to last. */
  @Column('text')
  pieces!: string;

  /** Bytes of the whole file. */
  @Column('bigint')
  length!: number;

  /** Bytes that are here, all of them in pieces. */
  @Column('bigint')
  received!: number;

  /** When the last piece came, or when it began; UNIX milliseconds. */
  @Column('bigint', { name: 'touched_at' })
  touchedAt!: number;
}
