import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** A custom emoji. Rows are never deleted, because messages and reactions refer to them. */
@Entity('custom_emoji')
export class CustomEmoji {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Unique among active emoji. */
  @Column('text')
  name!: string;

  /** Random name of its image files, which makes their URLs unguessable. */
  @Column('text', { name: 'file_key' })
  fileKey!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'author_id', nullable: true })
  authorId!: number | null;

  @Column('boolean', { name: 'is_animated' })
  isAnimated!: boolean;

  /** Deactivated emoji cannot be used, but are still shown where they were. */
  @Column('boolean', { name: 'is_deactivated' })
  isDeactivated!: boolean;
}

/** An emoji in the directory. */
export type CustomEmojiRecord = Readonly<CustomEmoji>;
