import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An answer that would have been posted if an address for answers were configured. */
@Entity('messaging_mock_entry')
export class MessagingMockEntry {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** JSON, as it would have been posted. */
  @Column('text')
  payload!: string;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
