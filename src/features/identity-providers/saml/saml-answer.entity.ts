import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A response of a SAML provider that was checked: it counts once, in the browser that asked for it. */
@Entity('saml_answer')
@Index('ix_saml_answer_request_id', ['requestId'], { unique: true })
@Index('ix_saml_answer_ends_at', ['endsAt'])
export class SamlAnswer {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text', { name: 'request_id' })
  requestId!: string;

  /** What it says of the person, sealed; null once it was taken. */
  @Column('text', { name: 'sealed_claims', nullable: true })
  sealedClaims!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** When the request has ended by itself, so that nothing answers it anymore, UNIX seconds. */
  @Column('bigint', { name: 'ends_at' })
  endsAt!: number;
}
