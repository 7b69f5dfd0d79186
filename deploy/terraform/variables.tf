variable "gateway_url" {
  description = "URL of the gateway, without a path."
  type        = string
}

variable "access_token" {
  description = "Access token of a super admin with the scope all. Tokens are created for its user."
  type        = string
  sensitive   = true
}

variable "channels" {
  description = "Channels by name. `type` is an id of docs/providers.md; `models` and `groups` are lists of names."
  type = map(object({
    type     = number
    models   = list(string)
    groups   = optional(list(string), ["default"])
    base_url = optional(string, "")
    priority = optional(number, 0)
  }))
  default = {}
}

variable "channel_keys" {
  description = "API keys of the providers, by channel name."
  type        = map(string)
  default     = {}
  sensitive   = true
}

variable "tokens" {
  description = "API tokens by name. An empty list of models allows all models."
  type = map(object({
    models          = optional(list(string), [])
    unlimited_quota = optional(bool, true)
    quota           = optional(number, 0)
  }))
  default = {}
}

variable "options" {
  description = "Options by key (docs/settings.md), as text. Not for secrets: they cannot be read back."
  type        = map(string)
  default     = {}
}
