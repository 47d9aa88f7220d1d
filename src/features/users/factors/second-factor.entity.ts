import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A person's authenticator app, which is effective once confirmed. */
@Entity('second_factor')
export class SecondFactor {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** The secret shared by app and server, encrypted with a key of the server. */
  @Column('text', { name: 'sealed_seed' })
  sealedSeed!: string;

  @Column('boolean', { name: 'is_confirmed' })
  isConfirmed!: boolean;

  /** The time step of the newest used code: no code is accepted twice. */
  @Column('bigint', { name: 'newest_step' })
  newestStep!: number;

  /** JSON array of argon2id hashes, with null for used codes. */
  @Column('text', { name: 'recovery_codes' })
  recoveryCodes!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
