output "channel_ids" {
  description = "Ids of the channels, by name."
  value       = { for name, channel in restapi_object.channel : name => channel.id }
}

output "api_tokens" {
  description = "API tokens for programs, by name."
  value       = { for name, token in restapi_object.token : name => "sk-${jsondecode(token.create_response).key}" }
  sensitive   = true
}
