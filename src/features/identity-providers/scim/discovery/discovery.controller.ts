import { Get, Header } from '@nestjs/common';
import { Config } from '../../../../platform/config/config';
import { NotFound } from '../../../../platform/errors/request.errors';
import { PathParameter } from '../../../../platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../../platform/http/parameters/parameters.decorator';
import { text } from '../../../../platform/http/parameters/text';
import { SCIM_TYPE } from '../protocol/scim.api';
import { ScimController } from '../keys/scim-endpoints';
import { type Described, resourceTypes, schemas, serviceProviderConfig } from './descriptions';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Path parameter that selects a description. */
export class DescriptionDto {
  /** ID of the schema or resource type. */
  @PathParameter(text({ unchecked: true })) id!: string;
}

/** SCIM discovery endpoints (RFC 7644, 4). */
@ScimController()
export class DiscoveryController {
  constructor(private readonly config: Config) {}

  /** Describes which parts of the protocol this server supports. */
  @Get('ServiceProviderConfig')
  @Header('content-type', SCIM_TYPE)
  serviceProviderConfig(): string {
    return JSON.stringify(serviceProviderConfig(this.config.externalUrl));
  }

  /** Lists the resource types. */
  @Get('ResourceTypes')
  @Header('content-type', SCIM_TYPE)
  resourceTypes(): string {
    return listOf(resourceTypes(this.config.externalUrl));
  }

  /** Describes a resource type. */
  @Get('ResourceTypes/:id')
  @Header('content-type', SCIM_TYPE)
  resourceType(@Parameters() { id }: DescriptionDto): string {
    return oneOf(resourceTypes(this.config.externalUrl), id);
  }

  /** Lists the schemas of the resources. */
  @Get('Schemas')
  @Header('content-type', SCIM_TYPE)
  schemas(): string {
    return listOf(schemas(this.config.externalUrl));
  }

  /** Describes the attributes of a resource type. */
  @Get('Schemas/:id')
  @Header('content-type', SCIM_TYPE)
  schema(@Parameters() { id }: DescriptionDto): string {
    return oneOf(schemas(this.config.externalUrl), id);
  }
}

function listOf(all: readonly Described[]): string {
  const counts = { totalResults: all.length, startIndex: 1, itemsPerPage: all.length };
  return JSON.stringify({ schemas: [LIST], ...counts, Resources: all });
}

function oneOf(all: readonly Described[], id: string): string {
  const found = all.find((each) => each.id === id);
  if (!found) throw new NotFound();
  return JSON.stringify(found);
}
