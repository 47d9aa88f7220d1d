import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A site where clients offer to try the code of a code block. */
@Entity('playground')
@Index('ix_playground_language_name', ['language', 'name'], { unique: true })
export class Playground {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** As the code block names it. */
  @Column('text')
  language!: string;

  /** Where the code goes (RFC 6570); `code` is its only variable. */
  @Column('text', { name: 'url_template' })
  urlTemplate!: string;
}
