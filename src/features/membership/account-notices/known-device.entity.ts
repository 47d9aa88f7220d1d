import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A program and network from which a person has signed in. */
@Entity('known_device')
@Index('ix_known_device_user_id_digest', ['userId', 'digest'], { unique: true })
export class KnownDevice {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** SHA-256 of program, system and network, in hex. */
  @Column('text')
  digest!: string;

  /** Last sign-in from there, UNIX seconds. */
  @Column('bigint', { name: 'seen_at' })
  seenAt!: number;
}
