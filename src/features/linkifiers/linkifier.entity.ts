import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A pattern that turns text of messages and topics into links. */
@Entity('linkifier')
@Index('ix_linkifier_pattern', ['pattern'], { unique: true })
export class Linkifier {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Linkifiers with lower numbers take precedence. */
  @Column('integer')
  position!: number;

  /** A regular expression in RE2 syntax. */
  @Column('text')
  pattern!: string;

  /** The target of the links (RFC 6570); its variables are the named groups of the pattern. */
  @Column('text', { name: 'url_template' })
  urlTemplate!: string;

  /** A text that the pattern matches. */
  @Column('text', { name: 'example_input', nullable: true })
  exampleInput!: string | null;

  /** The text into which clients convert a pasted URL. */
  @Column('text', { name: 'reverse_template', nullable: true })
  reverseTemplate!: string | null;

  /** Additional URLs that clients convert when they are pasted, as a JSON array. */
  @Column('text', { name: 'alternative_url_templates' })
  alternativeUrlTemplates!: string;
}

/** A site where clients offer to run the code of a code block. */
@Entity('playground')
@Index('ix_playground_language_name', ['language', 'name'], { unique: true })
export class Playground {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** Language of the code blocks. */
  @Column('text')
  language!: string;

  /** The target for the code (RFC 6570); `code` is its only variable. */
  @Column('text', { name: 'url_template' })
  urlTemplate!: string;
}
