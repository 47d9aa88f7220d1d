import { Controller, Get, Header } from '@nestjs/common';
import { NotRateLimited, Public, WithoutDatabase } from '../../platform/http/decorators';
import { Html, markup } from './html';
import { PAGE_POLICY } from './page';
import { STYLE } from './style';

/** What people see who open the server's address in a browser. Like the other page, it loads and runs nothing. */
const FRONT_PAGE = markup`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <title>Parley</title>
      ${new Html(`<style>${STYLE}</style>`)}
    </head>
    <body>
      <main class="alone">
        <h1>Parley</h1>
        <p>This is the address of a team chat server, and it works. There is no chat to be seen in a browser, though.</p>
        <p>
          To take part, use a client for Zulip: it asks for this address, your e-mail address and your API key, or takes
          all three from a <code>zuliprc</code> file. Whoever runs this server gives you these.
        </p>
        <p>To write a program: <a href="/api/docs">what the interfaces can do</a>.</p>
      </main>
    </body>
  </html> `.text;

/** The bare address of the server, which it prints when it starts. */
@Controller()
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class FrontPageController {
  /** Tells people who open the address in a browser what is here. */
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-cache')
  show(): string {
    return FRONT_PAGE;
  }
}
