import { useTranslation } from '../../../i18n/translate.ts';
import { type ClaimChoice, ClaimRows } from './claim-rows.tsx';

export interface ClaimToken {
  readonly value: string;
  readonly token_id: number;
}

interface ClaimTokensProps {
  readonly values: readonly ClaimToken[];
  readonly choices: readonly ClaimChoice[];
  readonly onChange: (values: readonly ClaimToken[]) => void;
}

/** Table that maps values of a claim to API tokens. */
export function ClaimTokens({ values, choices, onChange }: ClaimTokensProps) {
  const { t } = useTranslation();
  return (
    <ClaimRows
      rows={values.map(({ value, token_id }) => ({ value, choice: String(token_id) }))}
      choices={choices}
      label={t('API tokens by claim value')}
      description={t('The first value that a JWT has applies.')}
      placeholder="acme/search"
      choiceLabel={(number) => t('API token for claim value {number}', { number })}
      onChange={(rows) => onChange(rows.map(({ value, choice }) => ({ value, token_id: Number(choice) })))}
    />
  );
}
