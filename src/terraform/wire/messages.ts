// The messages of Terraform's plugin protocol, version 6, as far as they are used here: names and numbers of fields.
import type { Field, FieldType, MessageType } from './protobuf.ts';

const field = (number: number, type: FieldType): Field => ({ number, type });
const list = (number: number, type: FieldType): Field => ({ number, type, repeated: true });
const choice = (number: number, type: FieldType): Field => ({ number, type, explicit: true });
const message = (fields: Readonly<Record<string, Field>>): MessageType => {
  return () => fields;
};
const NOTHING = message({});

/** A value of Terraform; of the two forms, configurations and plans come as msgpack, stored states as JSON. */
const dynamicValue = message({ msgpack: field(1, 'bytes'), json: field(2, 'bytes') });
const step = message({
  attributeName: choice(1, 'text'),
  elementKeyString: choice(2, 'text'),
  elementKeyInt: choice(3, 'int'),
});
const attributePath = message({ steps: list(1, step) });
const diagnostic = message({
  severity: field(1, 'int'),
  summary: field(2, 'text'),
  detail: field(3, 'text'),
  attribute: field(4, attributePath),
});
const diagnostics = list(1, diagnostic);

const attribute: MessageType = () => ATTRIBUTE;
const nestedObject: MessageType = () => NESTED_OBJECT;
const ATTRIBUTE = {
  name: field(1, 'text'),
  type: field(2, 'bytes'),
  description: field(3, 'text'),
  required: field(4, 'bool'),
  optional: field(5, 'bool'),
  computed: field(6, 'bool'),
  sensitive: field(7, 'bool'),
  descriptionKind: field(8, 'int'),
  nestedType: field(10, nestedObject),
  writeOnly: field(11, 'bool'),
};
const NESTED_OBJECT = { attributes: list(1, attribute), nesting: field(3, 'int') };
const block = message({
  version: field(1, 'int'),
  attributes: list(2, attribute),
  description: field(4, 'text'),
  descriptionKind: field(5, 'int'),
});
const schema = message({ version: field(1, 'int'), block: field(2, block) });
const schemaEntry = message({ key: field(1, 'text'), value: field(2, schema) });
const serverCapabilities = message({
  planDestroy: field(1, 'bool'),
  getProviderSchemaOptional: field(2, 'bool'),
  moveResourceState: field(3, 'bool'),
  generateResourceConfig: field(4, 'bool'),
});
const clientCapabilities = message({ deferralAllowed: field(1, 'bool'), storePlannedPrivate: field(3, 'bool') });
/** Which object a resource is about, whatever its state says: since version 6.9 of the protocol. */
const identity = message({ identityData: field(1, dynamicValue) });
const identityAttribute = message({
  name: field(1, 'text'),
  type: field(2, 'bytes'),
  requiredForImport: field(3, 'bool'),
  optionalForImport: field(4, 'bool'),
  description: field(5, 'text'),
});
const identitySchema = message({ version: field(1, 'int'), identityAttributes: list(2, identityAttribute) });
const identityEntry = message({ key: field(1, 'text'), value: field(2, identitySchema) });
const imported = message({
  typeName: field(1, 'text'),
  state: field(2, dynamicValue),
  private: field(3, 'bytes'),
  identity: field(4, identity),
});
const validateTyped = {
  request: message({ typeName: field(1, 'text'), config: field(2, dynamicValue) }),
  response: message({ diagnostics }),
};

/** Request and answer of each call of `tfplugin6.Provider` that is answered here. */
export const CALLS = {
  GetProviderSchema: {
    request: NOTHING,
    response: message({
      provider: field(1, schema),
      resourceSchemas: list(2, schemaEntry),
      dataSourceSchemas: list(3, schemaEntry),
      diagnostics: list(4, diagnostic),
      serverCapabilities: field(6, serverCapabilities),
      listResourceSchemas: list(9, schemaEntry),
    }),
  },
  GetResourceIdentitySchemas: {
    request: NOTHING,
    response: message({ identitySchemas: list(1, identityEntry), diagnostics: list(2, diagnostic) }),
  },
  UpgradeResourceIdentity: {
    request: message({
      typeName: field(1, 'text'),
      version: field(2, 'int'),
      rawIdentity: field(3, message({ json: field(1, 'bytes') })),
    }),
    response: message({ upgradedIdentity: field(1, identity), diagnostics: list(2, diagnostic) }),
  },
  ValidateProviderConfig: {
    request: message({ config: field(1, dynamicValue) }),
    response: message({ diagnostics: list(2, diagnostic) }),
  },
  ValidateResourceConfig: validateTyped,
  ValidateDataResourceConfig: validateTyped,
  ConfigureProvider: {
    request: message({ terraformVersion: field(1, 'text'), config: field(2, dynamicValue) }),
    response: message({ diagnostics }),
  },
  UpgradeResourceState: {
    request: message({
      typeName: field(1, 'text'),
      version: field(2, 'int'),
      rawState: field(3, message({ json: field(1, 'bytes') })),
    }),
    response: message({ upgradedState: field(1, dynamicValue), diagnostics: list(2, diagnostic) }),
  },
  ReadResource: {
    request: message({ typeName: field(1, 'text'), currentState: field(2, dynamicValue), private: field(3, 'bytes') }),
    response: message({
      newState: field(1, dynamicValue),
      diagnostics: list(2, diagnostic),
      private: field(3, 'bytes'),
      newIdentity: field(5, identity),
    }),
  },
  PlanResourceChange: {
    request: message({
      typeName: field(1, 'text'),
      priorState: field(2, dynamicValue),
      proposedNewState: field(3, dynamicValue),
      config: field(4, dynamicValue),
      priorPrivate: field(5, 'bytes'),
      clientCapabilities: field(7, clientCapabilities),
      plannedPrivate: field(9, 'bytes'),
    }),
    response: message({
      plannedState: field(1, dynamicValue),
      requiresReplace: list(2, attributePath),
      plannedPrivate: field(3, 'bytes'),
      diagnostics: list(4, diagnostic),
      plannedIdentity: field(7, identity),
    }),
  },
  ApplyResourceChange: {
    request: message({
      typeName: field(1, 'text'),
      priorState: field(2, dynamicValue),
      plannedState: field(3, dynamicValue),
      config: field(4, dynamicValue),
      plannedPrivate: field(5, 'bytes'),
    }),
    response: message({
      newState: field(1, dynamicValue),
      private: field(2, 'bytes'),
      diagnostics: list(3, diagnostic),
      newIdentity: field(5, identity),
    }),
  },
  ImportResourceState: {
    request: message({ typeName: field(1, 'text'), id: field(2, 'text'), identity: field(4, identity) }),
    response: message({ importedResources: list(1, imported), diagnostics: list(2, diagnostic) }),
  },
  ReadDataSource: {
    request: message({ typeName: field(1, 'text'), config: field(2, dynamicValue) }),
    response: message({ state: field(1, dynamicValue), diagnostics: list(2, diagnostic) }),
  },
  GenerateResourceConfig: {
    request: message({ typeName: field(1, 'text'), state: field(2, dynamicValue) }),
    response: message({ config: field(1, dynamicValue), diagnostics: list(2, diagnostic) }),
  },
  ValidateListResourceConfig: validateTyped,
  /** Answered by a stream of these. */
  ListResource: {
    request: message({
      typeName: field(1, 'text'),
      config: field(2, dynamicValue),
      includeResourceObject: field(3, 'bool'),
      limit: field(4, 'int'),
    }),
    response: message({
      identity: field(1, identity),
      displayName: field(2, 'text'),
      resourceObject: field(3, dynamicValue),
      diagnostic: list(4, diagnostic),
    }),
  },
  StopProvider: { request: NOTHING, response: message({ Error: field(1, 'text') }) },
} satisfies Readonly<Record<string, { readonly request: MessageType; readonly response: MessageType }>>;

export type CallName = keyof typeof CALLS;
