import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A folder that groups channels in clients. */
@Entity('channel_folder')
export class ChannelFolder {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** Name in lower case. */
  @Column('text', { name: 'name_key' })
  nameKey!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'rendered_description' })
  renderedDescription!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'creator_id', nullable: true })
  creatorId!: number | null;

  @Column('bigint', { name: 'date_created' })
  dateCreated!: number;

  @Column('integer')
  position!: number;

  @Column('boolean', { name: 'is_archived' })
  isArchived!: boolean;
}
