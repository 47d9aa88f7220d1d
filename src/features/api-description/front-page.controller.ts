import { Controller, Get, Header } from '@nestjs/common';
import { NotRateLimited, Public, WithoutDatabase } from '../../platform/http/decorators';
import { FRONT_PAGE } from './page/front-page';
import { PAGE_POLICY } from './page/page';

/** The bare address of the server, which it prints when it starts. */
@Controller()
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class FrontPageController {
  /** Tells whoever opens the address in a browser what is here. */
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-cache')
  show(): string {
    return FRONT_PAGE;
  }
}
