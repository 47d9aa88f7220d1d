import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** The authenticator app of a person, which counts once it is confirmed. */
@Entity('second_factor')
export class SecondFactor {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** What app and server share, sealed with a key of the server. */
  @Column('text', { name: 'sealed_seed' })
  sealedSeed!: string;

  @Column('boolean', { name: 'is_confirmed' })
  isConfirmed!: boolean;

  /** The step of time of the newest code that was used: no code counts twice. */
  @Column('bigint', { name: 'newest_step' })
  newestStep!: number;

  /** JSON list of argon2id hashes; null in the place of a used one. */
  @Column('text', { name: 'recovery_codes' })
  recoveryCodes!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
