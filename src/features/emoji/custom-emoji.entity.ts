import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** A custom emoji. Rows are never deleted, because messages and reactions refer to them. */
@Entity('custom_emoji')
export class CustomEmoji {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Among those that are not deactivated, no two have the same. */
  @Column('text')
  name!: string;

  /** Random name of its picture files, which makes their addresses unguessable. */
  @Column('text', { name: 'file_key' })
  fileKey!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'author_id', nullable: true })
  authorId!: number | null;

  @Column('boolean', { name: 'is_animated' })
  isAnimated!: boolean;

  /** Cannot be used any more, but is still shown where it was. */
  @Column('boolean', { name: 'is_deactivated' })
  isDeactivated!: boolean;
}

/** An emoji as the directory holds it. */
export type CustomEmojiRecord = Readonly<CustomEmoji>;
