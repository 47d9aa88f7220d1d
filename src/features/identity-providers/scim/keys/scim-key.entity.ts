import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A key with which a company directory manages people and groups. */
@Entity('scim_key')
export class ScimKey {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Name of the directory. All keys of a directory give access to the same people and groups. */
  @Column('text')
  directory!: string;

  /** 80 random bits; the key is derived from them and never stored. */
  @Column('text')
  nonce!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** UNIX seconds, accurate to five minutes; null until its first use. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;
}
