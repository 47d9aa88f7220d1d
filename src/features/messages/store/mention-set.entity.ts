import { Entity, ForeignKey, PrimaryColumn, Column, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/**
 * A set of people that messages mention together, such as the members of a group. Stored once for all messages
 * that mention the same people, so that mentioning a large group costs no row for each member.
 */
@Entity('mention_set')
@Index('ix_mention_set_hash', ['hash'], { unique: true })
export class MentionSet {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Of the members: finds the set again. */
  @Column('text')
  hash!: string;
}

/** A person in a set of mentioned people. */
@Entity('mention_set_member')
@Index('ix_mention_set_member_set_id', ['setId'])
export class MentionSetMember {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => MentionSet)
  @PrimaryColumn('integer', { name: 'set_id' })
  setId!: number;
}
