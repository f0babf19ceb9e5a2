// Generated from src/protocol/operations by inputs.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
import type { Limits } from './Form.tsx';

/** The limits of the fields of an operation, by its name and the path of the field. */
export const inputs: Record<'createBot' | 'updateBot' | 'setBotDeployment' | 'testBotAgent' | 'setBotRetention' | 'createWorkspaceMember' | 'updateWorkspaceMember' | 'updateAccount' | 'updateWorkspace' | 'createWorkspace' | 'createToken' | 'createKnowledgeBase', Record<string, Limits>> = {
 "createBot": {
  "name": {
   "minLength": 1,
   "maxLength": 200
  },
  "webhookId": {},
  "code": {},
  "webhookUrl": {
   "minLength": 1,
   "maxLength": 2000
  },
  "description": {
   "maxLength": 5000
  },
  "maxExecutionTime": {
   "minimum": 0
  },
  "alwaysAlive": {},
  "type": {
   "options": [
    "studio",
    "adk",
    "desk"
   ]
  },
  "url": {},
  "secrets": {},
  "recurringEvents": {},
  "integrations": {},
  "plugins": {},
  "layers": {},
  "blocked": {},
  "dev": {}
 },
 "updateBot": {
  "name": {
   "minLength": 1,
   "maxLength": 200
  },
  "description": {
   "maxLength": 5000
  },
  "maxExecutionTime": {
   "minimum": 0
  },
  "alwaysAlive": {},
  "type": {
   "options": [
    "studio",
    "adk",
    "desk"
   ]
  },
  "url": {},
  "secrets": {},
  "recurringEvents": {},
  "integrations": {},
  "plugins": {},
  "layers": {},
  "blocked": {}
 },
 "setBotDeployment": {
  "code": {},
  "webhookUrl": {
   "minLength": 1,
   "maxLength": 2000
  },
  "agent.url": {
   "isRequired": true,
   "minLength": 1,
   "maxLength": 2000
  },
  "agent.protocol": {
   "options": [
    "openai-chat",
    "openai-responses",
    "ag-ui",
    "ai-sdk"
   ]
  },
  "agent.model": {
   "minLength": 1,
   "maxLength": 200
  },
  "agent.instructions": {
   "maxLength": 16000
  },
  "agent.knowledge": {},
  "agent.timeout": {
   "minimum": 1,
   "maximum": 300
  },
  "agent.key": {},
  "webhookFormat": {
   "options": [
    "standard",
    "hosted"
   ]
  },
  "outgoingEvents": {},
  "visitorHandoff": {},
  "ratings": {},
  "readReceipts": {},
  "returnUrl": {
   "minLength": 1,
   "maxLength": 2000
  },
  "knowledgeResults": {
   "minimum": 0,
   "maximum": 50
  }
 },
 "testBotAgent": {
  "agent.url": {
   "isRequired": true,
   "minLength": 1,
   "maxLength": 2000
  },
  "agent.protocol": {
   "options": [
    "openai-chat",
    "openai-responses",
    "ag-ui",
    "ai-sdk"
   ]
  },
  "agent.model": {
   "minLength": 1,
   "maxLength": 200
  },
  "agent.instructions": {
   "maxLength": 16000
  },
  "agent.knowledge": {},
  "agent.timeout": {
   "minimum": 1,
   "maximum": 300
  },
  "agent.key": {},
  "question": {
   "minLength": 1,
   "maxLength": 500
  }
 },
 "setBotRetention": {
  "messagesDays": {
   "minimum": 0,
   "maximum": 36500
  },
  "filesDays": {
   "minimum": 0,
   "maximum": 36500
  },
  "logsDays": {
   "minimum": 0,
   "maximum": 36500
  },
  "contactsDays": {
   "minimum": 0,
   "maximum": 36500
  }
 },
 "createWorkspaceMember": {
  "email": {
   "isRequired": true,
   "minLength": 1,
   "maxLength": 254
  },
  "role": {
   "isRequired": true,
   "options": [
    "viewer",
    "billing",
    "support",
    "developer",
    "manager",
    "administrator",
    "owner"
   ]
  },
  "displayName": {
   "minLength": 1,
   "maxLength": 200
  }
 },
 "updateWorkspaceMember": {
  "role": {
   "options": [
    "viewer",
    "billing",
    "support",
    "developer",
    "manager",
    "administrator",
    "owner"
   ]
  },
  "email": {
   "minLength": 1,
   "maxLength": 254
  },
  "displayName": {
   "minLength": 1,
   "maxLength": 200
  }
 },
 "updateAccount": {
  "displayName": {},
  "profilePicture": {
   "maxLength": 2000
  },
  "refresh": {}
 },
 "updateWorkspace": {
  "name": {
   "minLength": 1,
   "maxLength": 200
  },
  "about": {
   "maxLength": 2000
  },
  "profilePicture": {
   "maxLength": 2000
  },
  "contactEmail": {
   "maxLength": 254
  },
  "website": {
   "maxLength": 2000
  },
  "spendingLimit": {},
  "isPublic": {},
  "handle": {}
 },
 "createWorkspace": {
  "name": {
   "isRequired": true,
   "minLength": 1,
   "maxLength": 200
  },
  "email": {
   "minLength": 1,
   "maxLength": 254
  },
  "billingVersion": {}
 },
 "createToken": {
  "name": {
   "isRequired": true,
   "minLength": 1,
   "maxLength": 200
  },
  "kind": {
   "isRequired": true,
   "options": [
    "personal",
    "bot",
    "integration"
   ]
  },
  "memberId": {
   "minLength": 1
  },
  "botId": {
   "minLength": 1
  },
  "integration": {
   "minLength": 1,
   "maxLength": 200
  },
  "expiresAt": {}
 },
 "createKnowledgeBase": {
  "name": {
   "isRequired": true,
   "minLength": 1,
   "maxLength": 200
  }
 }
};
