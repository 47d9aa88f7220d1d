import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A verified response of a SAML provider, valid once, in the browser that requested it. */
@Entity('saml_answer')
@Index('ix_saml_answer_request_id', ['requestId'], { unique: true })
@Index('ix_saml_answer_ends_at', ['endsAt'])
export class SamlAnswer {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text', { name: 'request_id' })
  requestId!: string;

  /** Claims about the person, sealed; null after use. */
  @Column('text', { name: 'sealed_claims', nullable: true })
  sealedClaims!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** When the request expires, in UNIX seconds; the row is not needed after that. */
  @Column('bigint', { name: 'ends_at' })
  endsAt!: number;
}
