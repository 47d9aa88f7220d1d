import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Channels that newcomers may choose together when they join. */
@Entity('default_channel_group')
@Index('ix_default_channel_group_name', ['name'], { unique: true })
export class DefaultChannelGroup {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** As it was written; upper and lower case differ. */
  @Column('text')
  name!: string;

  @Column('text')
  description!: string;
}
