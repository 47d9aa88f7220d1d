import { CodeBudget } from './bounded-line';
import { codeWithTokens } from './code-blocks';
import { GRAMMAR_LANGUAGES } from './code-grammars';
import { CODE_LANGUAGES } from './code-languages';

/** Each token as `kind:text`. */
function tokens(language: string, source: string): string[] {
  const html = codeWithTokens(source, language, new CodeBudget());
  return Array.from(
    html.matchAll(/<span class="(\w+)">([^<]*)<\/span>/g),
    ([, kind, text]) =>
      `${kind}:${text!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')}`,
  );
}

describe('tokens of code', () => {
  it.each([
    [
      'Python',
      'def f(self, x=None):',
      ['k:def', 'nf:f', 'p:(', 'bp:self', 'p:,', 'n:x', 'o:=', 'kc:None', 'p:):'],
    ],
    ['Python', '@d\nimport a # b', ['nd:@d', 'kn:import', 'n:a', 'c1:# b']],
    [
      'Python',
      'x = 1 + 0x1f + 1.5 + "a"',
      ['n:x', 'o:=', 'mi:1', 'o:+', 'mh:0x1f', 'o:+', 'mf:1.5', 'o:+', 's:"a"'],
    ],
    [
      'JavaScript',
      'const f = new A(/b/g) // c',
      ['kd:const', 'n:f', 'o:=', 'ow:new', 'n:A', 'p:(', 'sr:/b/g', 'p:)', 'c1:// c'],
    ],
    [
      'TypeScript',
      'class A { x: number = 1 }',
      ['k:class', 'nc:A', 'p:{', 'n:x', 'p::', 'kt:number', 'o:=', 'mi:1', 'p:}'],
    ],
    [
      'Rust',
      'fn f(x: u32) { g!(true) }',
      ['k:fn', 'nf:f', 'p:(', 'n:x', 'p::', 'kt:u32', 'p:)', 'p:{', 'fm:g!', 'p:(', 'kc:true', 'p:)', 'p:}'],
    ],
    [
      'Go',
      'func f() int { return nil }',
      ['kd:func', 'nf:f', 'p:()', 'kt:int', 'p:{', 'k:return', 'kc:nil', 'p:}'],
    ],
    [
      'Java',
      '@Override public int f() {} /* c */',
      ['nd:@Override', 'k:public', 'kt:int', 'n:f', 'p:()', 'p:{}', 'cm:/* c */'],
    ],
    ['C', '#include <a.h>\nchar *p;', ['cp:#include <a.h>', 'kt:char', 'o:*', 'n:p', 'p:;']],
    [
      'Bash',
      '#!/bin/sh\nif true; then echo "$a"; fi # b',
      ['ch:#!/bin/sh', 'k:if', 'kc:true', 'k:then', 'nb:echo', 's:"', 'nv:$a', 's:"', 'k:fi', 'c1:# b'],
    ],
    [
      'SQL',
      "select a from t where b = 'c' -- d",
      ['k:select', 'k:from', 'k:where', 'o:=', "s:'c'", 'c1:-- d'],
    ],
    [
      'JSON',
      '{"a": [1, true, "b"]}',
      ['p:{', 'nt:"a"', 'p::', 'p:[', 'mi:1', 'p:,', 'kc:true', 'p:,', 's:"b"', 'p:]}'],
    ],
    [
      'YAML',
      'a b: 1\nc:\n  - "d" # e\nf: |\n  g: h\ni: {j: k, l: no}',
      [
        'nt:a b',
        'p::',
        'mi:1',
        'nt:c',
        'p::',
        'p:-',
        's:"d"',
        'c1:# e',
        'nt:f',
        'p::',
        'p:|',
        's:  g: h',
        'nt:i',
        'p::',
        'p:{',
        'nt:j',
        'p::',
        'l:k',
        'p:,',
        'nt:l',
        'p::',
        'kc:no',
        'p:}',
      ],
    ],
    [
      'HTML',
      '<a href="b">c &amp; d</a><!-- e -->',
      ['p:<', 'nt:a', 'na:href', 's:"b"', 'p:>', 'ni:&amp;', 'p:</', 'nt:a', 'p:>', 'cm:<!-- e -->'],
    ],
    ['CSS', 'a.b { color: #fff; }', ['nt:a', 'nc:.b', 'p:{', 'k:color', 'p::', 'mh:#fff', 'p:;', 'p:}']],
    [
      'Diff',
      '--- a\n+++ b\n@@ -1 +1 @@\n c\n-d\n+e',
      ['gd:--- a', 'gi:+++ b', 'gu:@@ -1 +1 @@', 'gd:-d', 'gi:+e'],
    ],
    [
      'PHP',
      'function f($a) { return 1; } /* b\nc */',
      [
        'kd:function',
        'nf:f',
        'p:(',
        'nv:$a',
        'p:)',
        'p:{',
        'k:return',
        'mi:1',
        'p:;',
        'p:}',
        'cm:/* b',
        'cm:c */',
      ],
    ],
    ['Makefile', 'all: a\n\tcc $(X) # b', ['nf:all', 'p::', 'n:a', 'n:cc', 'nv:$(X)', 'c1:# b']],
    ['Bash Session', 'me@host:~$ ls | wc\n3', ['gp:me@host:~$ ', 'nb:ls', 'nb:wc', 'go:3']],
    ['Python console session', '>>> f(1)\n1', ['gp:>>> ', 'n:f', 'p:(', 'mi:1', 'p:)', 'go:1']],
  ])('of %s: %j', (language, source, expected) => {
    expect(tokens(language, source)).toEqual(expected);
  });

  it.each(['Text only', 'foolang', '', '__proto__', 'constructor'])('are none in %j', (language) => {
    expect(codeWithTokens('if <a> & "b"', language, new CodeBudget())).toBe('if &lt;a&gt; &amp; "b"');
  });
});

describe('languages with tokens', () => {
  it.each(GRAMMAR_LANGUAGES)('%s can be requested, and is parsed', (language) => {
    const source =
      'GET / HTTP/1.1\nif x = "a" then 1 # b\n(* c *) [d] {e} /* f */ <g h="i"> 0x1f\n\n\tlet j := k;\n+l\nFROM m';
    const html = codeWithTokens(source, language, new CodeBudget());
    expect(html).toContain('<span class="');
    expect(
      html
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>'),
    ).toBe(source);
    expect(CODE_LANGUAGES).toContain(language);
  });

  it.each(GRAMMAR_LANGUAGES)('%s is tokenized the same whatever came before', (language) => {
    const read = (source: string) => codeWithTokens(source, language, new CodeBudget());
    const sources = ['# /a/b', 'var x = (', '"', '/* a', '<a b="', '{ x: 1', '%', 'if'];
    const alone = sources.map(read);
    for (const before of sources) {
      expect(
        sources.map((source) => {
          read(before);
          return read(source);
        }),
      ).toEqual(alone);
    }
  });
});

describe('limits for code', () => {
  it('is one budget for all blocks', () => {
    const budget = new CodeBudget();
    const source = 'a=1;'.repeat(2_000).match(/.{40}/g)!.join('\n');
    const first = codeWithTokens(source, 'C', budget);
    const spans = (html: string) => html.match(/<span/g)?.length ?? 0;
    expect(spans(first)).toBeGreaterThan(3_000);
    expect(budget.markupWritten).toBeLessThanOrEqual(80_000);
    for (let times = 0; times < 3; times++) codeWithTokens(source, 'C', budget);
    expect(spans(codeWithTokens(source, 'C', budget))).toBe(0);
  });

  it('ends with code that is read repeatedly', () => {
    const reads = { left: 0 };
    class Counted extends CodeBudget {
      override read(characters: number): void {
        reads.left += characters;
        super.read(characters);
      }
    }
    const source = 'x '.repeat(150).concat('\n').repeat(1_000);
    const html = codeWithTokens(source, 'Python', new Counted());
    expect(reads.left).toBeLessThan(1_001_000);
    expect(html).toContain('<span class="n">x</span>');
    expect(html.endsWith(`${'x '.repeat(150)}\n`)).toBe(true);
  });

  it('leaves the rest of long lines alone', () => {
    const html = codeWithTokens(`${'a '.repeat(500)}\nif`, 'Python', new CodeBudget());
    expect(html.match(/<span class="n">/g)).toHaveLength(150);
    expect(html).toContain('\n<span class="k">if</span>');
  });
});

it('charges more than the characters for deeply nested tokens', () => {
  const budget = new CodeBudget();
  codeWithTokens(`${'(*'.repeat(150)}\n`.repeat(33), 'TypeScript', budget);
  expect(() => budget.read(1)).toThrow(Error);
});
