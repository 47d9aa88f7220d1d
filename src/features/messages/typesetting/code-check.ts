/** What may stand between tags. */
const TEXT = '[^<>&]+|&(?:amp|lt|gt);';

const KINDS =
  'bp c c1 ch cm cp cpf cs dl err esc fm g gd ge ges gh gi go gp gr gs gt gu il k kc kd kn kp kr kt l ld m mb mf mh mi mo ' +
  'n na nb nc nd ne nf ni nl nn no nt nv nx o ow p pm py s s1 s2 sa sb sc sd se sh si sr ss sx vc vg vi vm w x';
const CODE_HEAD =
  /<div class="codehilite"(?: data-code-language="[\w .+#/'-]{1,60}")?><pre><span><\/span><code>/y;
const CODE_TAIL = '</code></pre></div>';
const CODE_PIECE = new RegExp(`${TEXT}|<span class="(?:${KINDS.replaceAll(' ', '|')})">|(</span>)`, 'y');

/** Where a block of code that begins at `start` ends, if it is exactly of the form that the renderer gives it. */
export function endOfCodeBlock(html: string, start: number): number | undefined {
  CODE_HEAD.lastIndex = start;
  if (!CODE_HEAD.test(html)) return undefined;
  let isInToken = false;
  let position = CODE_HEAD.lastIndex;
  while (isInToken || !html.startsWith(CODE_TAIL, position)) {
    CODE_PIECE.lastIndex = position;
    const piece = CODE_PIECE.exec(html);
    if (!piece) return undefined;
    if (piece[0].startsWith('<')) {
      const closes = piece[1] !== undefined;
      if (closes !== isInToken) return undefined;
      isInToken = !closes;
    }
    position = CODE_PIECE.lastIndex;
  }
  return position + CODE_TAIL.length;
}
